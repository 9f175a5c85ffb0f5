// Functions of the documentation beyond text: search, copy buttons, the menu of narrow screens. Without it they can be read.
import { find, OPTIONS } from './searched.js'

const WIDE = '(min-width: 75rem)'
const RESULTS = 12
const COPIED_MS = 2_000

const all = (selector) => [...document.querySelectorAll(selector)]
const one = (selector) => document.querySelector(selector)
/** Makes an element with texts or elements in it. Texts are never parsed. */
const make = (tag, properties, ...content) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...content)
  return element
}

addCopyButtons()
addLanguages()
addMenu()
showContents()
addSearch()
scrollByKeyboard()
one('.navigation [aria-current]')?.scrollIntoView({ block: 'nearest' })

function addCopyButtons() {
  for (const block of all('.code')) {
    const button = make('button', { type: 'button', className: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent.trimEnd())
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), COPIED_MS)
    })
    block.append(button)
  }
}

/** Samples of an operation in several languages stand in one place. What is chosen holds for the whole page. */
function addLanguages() {
  const isSample = (element) => element?.dataset.language !== undefined
  const groups = all('.code[data-language]')
    .filter((block) => !isSample(block.previousElementSibling) && isSample(block.nextElementSibling))
    .map((block) => {
      const samples = [block]
      while (isSample(samples.at(-1).nextElementSibling)) samples.push(samples.at(-1).nextElementSibling)
      return samples
    })
  const choose = (language) => {
    for (const samples of groups) for (const one of samples) one.hidden = one.dataset.language !== language
    for (const button of all('.languages button'))
      button.setAttribute('aria-pressed', String(button.textContent === language))
  }
  for (const samples of groups) {
    const buttons = samples.map((one) => {
      const button = make('button', { type: 'button' }, one.dataset.language)
      button.addEventListener('click', () => choose(one.dataset.language))
      return button
    })
    samples[0].before(make('div', { className: 'languages' }, ...buttons))
  }
  if (groups.length > 0) choose(groups[0][0].dataset.language)
}

function addMenu() {
  const button = one('.open-menu')
  button.hidden = false
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') === 'true'
    button.setAttribute('aria-expanded', String(!isOpen))
    one('.navigation').toggleAttribute('data-open', !isOpen)
  })
}

/** The list of headings is open where it has a column of its own, and shows where the reader is. */
function showContents() {
  const list = one('.contents details')
  if (list === null) return
  const wide = matchMedia(WIDE)
  const follow = () => (list.open = wide.matches)
  wide.addEventListener('change', follow)
  follow()
  const links = new Map(all('.contents a').map((link) => [link.hash.slice(1), link]))
  const headings = [...links.keys()].map((id) => document.getElementById(decodeURIComponent(id)))
  const mark = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 4)
    for (const [id, link] of links) link.classList.toggle('here', id === current?.id)
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

/** Makes elements that scroll sideways reachable by keyboard. */
function scrollByKeyboard() {
  const update = () => {
    for (const element of all('.scroll')) {
      const scrolls = element.scrollWidth > element.clientWidth
      if (scrolls) element.tabIndex = 0
      else element.removeAttribute('tabindex')
    }
  }
  addEventListener('resize', update)
  update()
}

function addSearch() {
  const dialog = one('dialog.search')
  const [input, list, hint] = ['input', '#results', '.hint'].map((part) => dialog.querySelector(part))
  const opener = one('.open-search')
  let index
  let selected = -1

  const load = async () => {
    const [{ default: MiniSearch }, response] = await Promise.all([
      import('minisearch'),
      fetch(new URL('search.json', import.meta.url)),
    ])
    if (!response.ok) throw new Error(`search.json: ${response.status}`)
    return MiniSearch.loadJSON(await response.text(), OPTIONS)
  }
  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    void show()
  }
  const select = (at) => {
    const options = [...list.children]
    selected = options.length === 0 ? -1 : (at + options.length) % options.length
    options.forEach((option, index) => option.setAttribute('aria-selected', String(index === selected)))
    if (selected >= 0) {
      input.setAttribute('aria-activedescendant', options[selected].id)
      options[selected].scrollIntoView({ block: 'nearest' })
    } else input.removeAttribute('aria-activedescendant')
  }
  const show = async () => {
    const query = input.value.trim()
    try {
      index ??= load()
      const known = await index
      // Another letter was typed while the index was loaded.
      if (query !== input.value.trim()) return
      const found = find(known, query).slice(0, RESULTS)
      list.replaceChildren(...found.map(toOption))
      hint.textContent =
        query === ''
          ? 'Type a word: a task, a setting, an error code.'
          : found.length === 0
            ? `Nothing found for “${query}”.`
            : ''
      input.setAttribute('aria-expanded', String(found.length > 0))
      select(0)
    } catch {
      index = undefined
      hint.textContent = 'The search could not be loaded. Type again to retry.'
    }
  }
  const toOption = ({ url, shown, page, group, start }, at) => {
    const where = page === '' ? group : `${page} · ${group}`
    const option = make(
      'div',
      { id: `result-${at}`, role: 'option' },
      make('span', { className: 'result-title' }, shown),
      make('span', { className: 'quiet' }, where),
      make('span', { className: 'result-start' }, start),
    )
    option.dataset.url = url
    option.addEventListener('mousemove', () => selected !== at && select(at))
    option.addEventListener('click', () => follow(option))
    return option
  }
  const follow = ({ dataset }) => {
    dialog.close()
    location.assign(dataset.url)
  }

  opener.hidden = false
  opener.addEventListener('click', open)
  input.addEventListener('input', () => void show())
  input.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }
    if (event.key in steps) {
      event.preventDefault()
      select(selected + steps[event.key])
    } else if (event.key === 'Enter' && !event.isComposing && list.children[selected])
      follow(list.children[selected])
  })
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isSlash && !isCtrlK) return
    event.preventDefault()
    open()
  })
}
