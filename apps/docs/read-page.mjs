// Reads one Markdown page: its HTML, its Markdown with links that lead somewhere, its headings, and the texts that search finds.
import MarkdownIt from 'markdown-it'
import { repositoryPath, resolveLink } from './navigation.mjs'

const COMMENT = /<!--.*?-->\n*/gs
const DESCRIPTION_CHARACTERS = 160
/** Shorter paragraphs are a status, and describe nothing. */
const SENTENCE_CHARACTERS = 40
/** Examples of these are too much alike to search them. */
const UNSEARCHED = ['json', 'yaml']
/** Languages of the samples of an operation, of which pages show one at a time. */
const LANGUAGES = { sh: 'curl', ts: 'TypeScript', python: 'Python' }

/**
 * @param file relative to docs/
 * @param served names of pages and files that links may lead to
 */
export function readPage(file, source, served) {
  const text = source.replaceAll(COMMENT, '')
  const markdown = new MarkdownIt({ html: false, linkify: false })
  markdown.renderer.rules = { ...markdown.renderer.rules, ...RULES }
  const tokens = markdown.parse(text, {})
  resolveLinks(tokens, file, served)
  const headings = nameHeadings(tokens)
  const [title, ...rest] = headings
  if (title?.level !== 1) throw new Error(`docs/${file} does not begin with a heading of the first level.`)
  const sections = sectionsOf(tokens)
  return {
    file,
    title: title.text,
    description: shorten(firstParagraph(tokens)),
    // The title is placed by the page.
    html: markdown.renderer.render(tokens.slice(3), markdown.options, {}),
    markdown: resolveInMarkdown(text, file, served),
    headings: rest,
    sections,
  }
}

/** Returns the pieces of inline text, links without their brackets. */
function textOf({ children }) {
  return (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
}

/** Returns the anchor of a heading, as GitHub makes it. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function nameHeadings(tokens) {
  const used = new Map()
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return []
    const text = textOf(tokens[index + 1])
    const anchor = anchorOf(text)
    const count = used.get(anchor) ?? 0
    used.set(anchor, count + 1)
    const id = count === 0 ? anchor : `${anchor}-${count}`
    token.attrSet('id', id)
    return [{ level: Number(token.tag.slice(1)), id, text }]
  })
}

function resolveLinks(tokens, file, served) {
  for (const { children } of tokens) {
    /** State of the open links: dropped or not, and the path. */
    const open = []
    for (const [index, token] of (children ?? []).entries()) {
      if (token.type === 'image') {
        const url = resolveLink(token.attrGet('src'), file, served)
        if (url === undefined) throw new Error(`docs/${file}: there is no ${token.attrGet('src')}`)
        token.attrSet('src', url)
      }
      if (token.type === 'link_open') {
        const href = token.attrGet('href')
        const url = resolveLink(href, file, served)
        open.push({ isDropped: url === undefined, path: repositoryPath(href, file), from: index })
        if (url === undefined) token.hidden = true
        else token.attrSet('href', url)
      }
      if (token.type === 'link_close') {
        const { isDropped, path, from } = open.pop()
        if (!isDropped) continue
        token.hidden = true
        const text = children.slice(from + 1, index).map(({ content }) => content)
        // The path says where it is, unless the text does.
        token.meta = text.join('').includes(path) ? undefined : { path }
      }
    }
  }
}

/** The same in the Markdown itself: a link is right wherever its page is read. */
function resolveInMarkdown(text, file, served) {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark, label, link) => {
            const url = resolveLink(link, file, served)
            if (url !== undefined) return `${mark}[${label}](${url})`
            const path = repositoryPath(link, file)
            return label.includes(path) ? label : `${label} (\`${path}\`)`
          }),
    )
    .join('')
}

function firstParagraph(tokens) {
  const paragraphs = tokens.flatMap(({ type, level }, index) =>
    type === 'paragraph_open' && level === 0 ? [textOf(tokens[index + 1])] : [],
  )
  return paragraphs.find((text) => text.length >= SENTENCE_CHARACTERS) ?? paragraphs[0] ?? ''
}

function shorten(text) {
  if (text.length <= DESCRIPTION_CHARACTERS) return text
  const part = text.slice(0, DESCRIPTION_CHARACTERS)
  return `${part.slice(0, part.lastIndexOf(' '))} …`
}

/** Returns what stands below each heading, as text. */
function sectionsOf(tokens) {
  const sections = []
  let heading
  for (const token of tokens) {
    if (token.type === 'heading_open') {
      heading = token
      sections.push({ id: token.tag === 'h1' ? '' : token.attrGet('id'), heading: '', texts: [] })
    } else if (token.type === 'heading_close') heading = undefined
    else if (heading !== undefined) sections.at(-1).heading = textOf(token)
    else if (token.type === 'inline') sections.at(-1)?.texts.push(textOf(token))
    else if (token.type === 'fence' && !UNSEARCHED.includes(token.info))
      sections.at(-1)?.texts.push(token.content)
  }
  return sections.map(({ id, heading, texts }) => ({ id, heading, text: texts.join(' ') }))
}

export function escape(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Comments of a shell stand back behind its commands. */
function shell(code) {
  return escape(code).replaceAll(/(^| )(#[^\n{]*)$/gm, '$1<span class="comment">$2</span>')
}

const render = (tokens, index, options, _environment, renderer) =>
  renderer.renderToken(tokens, index, options)

const RULES = {
  heading_close: (tokens, index, options, environment, renderer) => {
    const id = tokens[index - 2].attrGet('id')
    const link = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
    return link + render(tokens, index, options, environment, renderer)
  },
  table_open: () => '<div class="scroll"><table>\n',
  table_close: () => '</table></div>\n',
  // Long names break where their words end.
  code_inline: (tokens, index) =>
    `<code>${escape(tokens[index].content).replaceAll(/(?<=\w)[_/](?=\w)/g, '$&<wbr>')}</code>`,
  // The corner of a table that names rows and columns heads nothing.
  th_open: (tokens, index, ...rest) =>
    tokens[index + 1].content === '' ? '<td>' : render(tokens, index, ...rest),
  th_close: (tokens, index, ...rest) =>
    tokens[index - 1].content === '' ? '</td>' : render(tokens, index, ...rest),
  fence: (tokens, index) => {
    const { content, info } = tokens[index]
    const code = ['sh', 'bash'].includes(info) ? shell(content) : escape(content)
    return `<div class="code"${info in LANGUAGES ? ` data-language="${LANGUAGES[info]}"` : ''}><pre class="scroll"><code>${code}</code></pre></div>\n`
  },
  image: (tokens, index) => {
    const { content } = tokens[index]
    const src = tokens[index].attrGet('src')
    return `<a class="picture" href="${escape(src)}"><img src="${escape(src)}" alt="${escape(content)}" loading="lazy" /></a>`
  },
  link_open: (tokens, index, options, environment, renderer) =>
    tokens[index].hidden ? '' : render(tokens, index, options, environment, renderer),
  link_close: (tokens, index, options, environment, renderer) => {
    const { hidden, meta } = tokens[index]
    if (!hidden) return render(tokens, index, options, environment, renderer)
    return meta ? ` (<code>${escape(meta.path)}</code>)` : ''
  },
}
