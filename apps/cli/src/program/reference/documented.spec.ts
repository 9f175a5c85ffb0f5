import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { mistakeIn } from './check-line.js'
import { commandTree } from './command-tree.js'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..')
const program = await commandTree()

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))
}

/** Returns what follows `bearing` in the code blocks and code spans of a page. */
function linesOfPage(page: string): string[] {
  // The provider of Terraform has the same name.
  const blocks = [...page.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].flatMap(([, language, block = '']) =>
    language === 'hcl' ? [] : [block],
  )
  const spans = [...page.replaceAll(/^ *```.*?^ *```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, span = '']) => span,
  )
  return [...blocks, ...spans]
    .flatMap((code) => code.replaceAll(/\\\n */g, '').split('\n'))
    .flatMap((line) =>
      [...line.matchAll(/(?:^ *(?:\$ )?|npx pnpm (?:--silent )?|&& |\| |\$\()bearing +([^`]*)/g)].map(
        ([, rest = '']) => rest,
      ),
    )
}

/** Returns what follows `bearing` in the texts of a page of the dashboard; expressions become a placeholder. */
function linesOfSource(source: string): string[] {
  return [...source.matchAll(/(?:[`"']|<code>)bearing ([^\n]*)/g)].map(([, rest = '']) => {
    let text = rest
    // From the innermost outwards: an expression may contain texts with expressions.
    for (let before = ''; before !== text;) {
      before = text
      text = text.replaceAll(/\$\{[^{}]*\}/g, ' X ')
    }
    return text.replace(/(?:[`"'}].*|<\/code>.*|\\n.*|\$\{.*)$/, '').replace(/^(?: *X )+/, '')
  })
}

function mistakes(files: readonly string[], linesOf: (text: string) => string[]): string[] {
  return files.flatMap((file) =>
    linesOf(readFileSync(join(ROOT, file), 'utf8')).flatMap((line) => {
      const mistake = mistakeIn(program, line)
      return mistake === undefined ? [] : [`${file}: bearing ${line}: ${mistake}`]
    }),
  )
}

describe('commands in texts', () => {
  it('exist under their present names, with their flags, in the README and the documentation', () => {
    const pages = ['README.md', ...filesBelow('docs', /\.md$/)].filter((file) => !file.includes('decisions'))
    expect(mistakes(pages, linesOfPage)).toEqual([])
    const all = pages.flatMap((file) => linesOfPage(readFileSync(join(ROOT, file), 'utf8')))
    expect(all.length).toBeGreaterThan(100)
  })

  it('exist on the pages of the dashboard', () => {
    const sources = filesBelow('apps/dashboard/src', /\.tsx?$/)
    expect(mistakes(sources, linesOfSource)).toEqual([])
    const all = sources.flatMap((file) => linesOfSource(readFileSync(join(ROOT, file), 'utf8')))
    expect(all.length).toBeGreaterThan(30)
  })
})

describe('mistakeIn', () => {
  it.each([
    ['projects list --org acme', undefined],
    ['--org acme devices list --limit 5 | head', undefined],
    ['org-token list', 'no command "org-token"'],
    ['projects list --nonsense', 'unknown flag --nonsense'],
    ['webhooks update <id>', 'no command "update"'],
  ])('of "%s" is %s', (line, mistake) => {
    const found = mistakeIn(program, line)
    if (mistake === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(mistake)
  })
})
