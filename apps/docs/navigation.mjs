// Reads the pages and their order from the index, docs/README.md.
import { posix } from 'node:path'

/** Its pages are made from the OpenAPI document, and not from files of docs/. */
const API_REFERENCE = { title: 'API reference', name: 'api', url: '/docs/api' }
/** The group that it belongs to. */
const REFERENCE = 'Reference'

/** Returns the groups of the index with their pages, in the order of the navigation. */
export function readNavigation(index) {
  const groups = []
  for (const line of index.split('\n')) {
    const [, group] = /^## (.+)$/.exec(line) ?? []
    const [, title, link] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? []
    if (group !== undefined) groups.push({ title: group, pages: [] })
    if (link !== undefined) groups.at(-1).pages.push({ title, name: nameOf(link), url: urlOf(nameOf(link)) })
  }
  groups.find(({ title }) => title === REFERENCE).pages.unshift(API_REFERENCE)
  return groups
}

/** Returns the name of a page: its path below docs/ without the extension. That of the index is empty. */
export function nameOf(file) {
  return posix
    .normalize(file)
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '')
    .replace(/\/$/, '')
}

export function urlOf(name) {
  return name === '' ? '/docs' : `/docs/${name}`
}

/**
 * Returns the URL of what a page links to, undefined if the gateway does not serve it.
 *
 * @param file of the page, relative to docs/
 */
export function resolveLink(link, file, served) {
  if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link
  const [path, anchor] = link.split('#')
  const target = posix.join(posix.dirname(file), path)
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (served.has(target)) return `/docs/${target}${hash}`
  return served.has(nameOf(target)) ? urlOf(nameOf(target)) + hash : undefined
}

/** Returns the path of a link out of docs/, as readers of the repository know it. */
export function repositoryPath(link, file) {
  return posix.join('docs', posix.dirname(file), link.split('#')[0]).replace(/\/$/, '')
}
