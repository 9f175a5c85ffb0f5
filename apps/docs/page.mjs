// The HTML around the text of a page.
import { escape } from './read-page.mjs'

const MARK = `<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect class="mark-back" width="32" height="32" rx="8"/><path class="mark-needle" d="M16 5l5.5 11L16 27l-5.5-11z" opacity="0.4"/><path class="mark-needle" d="M16 5l5.5 11h-11z"/><circle class="mark-back" cx="16" cy="16" r="2.2"/></svg>`
const SEARCH = `<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" class="line"><path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.4 3.4"/></svg>`
const MENU = `<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" class="line"><path d="M2.5 4h11M2.5 8h11M2.5 12h11"/></svg>`
/** Fewer headings need no list. */
const LISTED_HEADINGS = 2

/**
 * @param page what `readPage` returns, with `url`, `group`, and `parent`: the entry of the navigation that it belongs to
 * @param navigation what `readNavigation` returns
 * @param around the pages before and after it
 * @param assets path of the folder of assets
 */
export function pageOf(page, navigation, { previous, next }, assets) {
  const { title, description, html, url, group, headings } = page
  const listed = headings.filter(({ level }) => level <= 3)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${escape(description)}" />
<title>${url === '/docs' ? 'Bearing documentation' : `${escape(title)} · Bearing documentation`}</title>
<link rel="icon" type="image/svg+xml" href="${assets}/bearing.svg" />
<link rel="stylesheet" href="${assets}/site.css" />
<script type="module" src="${assets}/site.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header class="top">
<a class="brand" href="/docs">${MARK} <span>Bearing <span class="quiet">docs</span></span></a>
<button type="button" class="open-search" aria-keyshortcuts="Control+K Meta+K /" hidden>${SEARCH} <span>Search</span> <kbd>Ctrl K</kbd></button>
<button type="button" class="open-menu" aria-expanded="false" aria-controls="navigation" hidden>${MENU} <span>Menu</span></button>
</header>
<div class="columns">
<nav class="navigation" id="navigation" aria-label="Documentation">
${navigation.map((part) => groupOf(part, page)).join('\n')}
</nav>
<main id="main" tabindex="-1"${listed.length >= LISTED_HEADINGS ? ' class="with-contents"' : ''}>
<div class="title">
${group === undefined ? '' : `<p class="group">${escape(group)}</p>`}
<h1>${escape(title)}</h1>
</div>
${listed.length >= LISTED_HEADINGS ? contentsOf(listed) : ''}
<article>
${html}</article>
${turnOf(previous, next)}
<footer><a href="/docs/third-party-notices.txt">Licenses of the software in these pages</a></footer>
</main>
</div>
<dialog class="search" aria-label="Search the documentation">
<input type="text" role="combobox" aria-label="Search" aria-autocomplete="list" aria-expanded="false" aria-controls="results" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="Search the documentation" />
<div id="results" role="listbox" aria-label="Results"></div>
<p class="hint" role="status"></p>
</dialog>
</body>
</html>
`
}

function groupOf({ title, pages }, { url, parent }) {
  const links = pages.map((one) => {
    const current =
      one.url === url ? ' aria-current="page"' : one.url === parent ? ' aria-current="true"' : ''
    return `<li><a href="${one.url}"${current}>${escape(one.title)}</a></li>`
  })
  return `<section><h2>${escape(title)}</h2><ul>${links.join('')}</ul></section>`
}

function contentsOf(headings) {
  const items = headings.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escape(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary><ul>${items.join('')}</ul></details></nav>`
}

function turnOf(previous, next) {
  const link = (page, rel, text) =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${page.url}"><span class="quiet">${text}</span> ${escape(page.title)}</a>`
  if (previous === undefined && next === undefined) return ''
  return `<nav class="turn" aria-label="Previous and next page">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`
}
