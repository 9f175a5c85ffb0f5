// `node tests/words.mjs [--count] [--advice] [paths]` lists the words and phrases that a reader would have to
// read twice, each with what to write instead. Identifiers are split into their words. `words.json` has the list.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const TEXT = /\.(tsx?|mjs|cjs|js|json|jsonc|md|html|css|ya?ml|sql|prisma|conf|sh)$|(^|\/)(Dockerfile|run)$/
/** Generated files, and the list itself. */
const SKIPPED = /(^|\/)(generated|dist|node_modules)\/|pnpm-lock\.yaml$|^tests\/words\.(json|mjs)$/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Prints the number of findings of each folder. */
    count: { type: 'boolean', default: false },
    /** Lists what is only a recommendation too. */
    advice: { type: 'boolean', default: false },
  },
})
const { published, words } = JSON.parse(readFileSync(join(ROOT, 'tests', 'words.json'), 'utf8'))
const PUBLISHED = new RegExp(
  String.raw`(?<![A-Za-z0-9])(?:${published.flatMap(({ names }) => names).join('|')})(?![A-Za-z0-9])`,
  'g',
)
const rules = words
  .filter(({ advice = false }) => values.advice || !advice)
  .map(({ not, write, except = [], only, notIn }) => ({
    not: phrase(String.raw`(?<![\p{L}\p{N}])(?:${not})(?![\p{L}\p{N}])`),
    write,
    except: except.map(({ text }) => phrase(text)),
    only: new RegExp(only ?? ''),
    notIn: notIn === undefined ? undefined : new RegExp(notIn),
  }))

const findings = filesOf(positionals).flatMap(findingsOf)
const lines = values.count
  ? countsOf(findings)
  : findings.map(({ path, line, text, write }) => `${path}:${line}  ${text} → ${write}`)
process.stdout.write(lines.map((line) => `${line}\n`).join(''))
process.exitCode = findings.length > 0 ? 1 : 0

/** A pattern whose spaces match any white space, such as the end of a line. */
function phrase(pattern) {
  return new RegExp(pattern.replaceAll(' ', String.raw`\s+`), 'gu')
}

/** Returns the files below the paths that git knows or would add. */
function filesOf(paths) {
  const list = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  )
  return [...new Set(list.split('\n'))].filter((path) => TEXT.test(path) && !SKIPPED.test(path))
}

function findingsOf(path) {
  let source
  try {
    source = readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return [] // deleted, and not yet committed
  }
  const { text, lineAt } = plain(path, source)
  return rules
    .filter(({ only, notIn }) => only.test(path) && notIn?.test(path) !== true)
    .flatMap(({ not, write, except }) => {
      const allowed = except.flatMap((pattern) => [...text.matchAll(pattern)].map(spanOf))
      return [...text.matchAll(not)]
        .filter((match) => !allowed.some((span) => span[0] <= match.index && spanOf(match)[1] <= span[1]))
        .map((match) => ({ path, line: lineAt(match.index), text: match[0].replace(/\s+/g, ' '), write }))
    })
    .sort((one, other) => one.line - other.line)
}

/** Returns the path and the lines of a file without comment marks, with identifiers split into lower-case words. */
function plain(path, source) {
  const starts = []
  let text = ''
  for (const line of [path, ...source.split('\n')]) {
    starts.push(text.length)
    const spaced = line
      .replace(/^\s*(\/\*\*?|\*\/|\*|\/\/+|#+|--)(?=\s|$)/, '')
      .replace(PUBLISHED, '·')
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      .replace(/[_-]/g, ' ')
      .replaceAll('’', "'")
    text += `${spaced.trim()}\n`
  }
  const lineAt = (index) => starts.findLastIndex((start) => start <= index)
  // These keep their capital: at the start of a sentence they begin a clause.
  return { text: text.replace(/\b(?!(?:Who|What)\b)[A-Z]+/g, (word) => word.toLowerCase()), lineAt }
}

function spanOf(match) {
  return [match.index, match.index + match[0].length]
}

/** Returns the number of findings by wing, package or folder. */
function countsOf(all) {
  const counts = new Map()
  for (const { path } of all) {
    const folders = path.split('/').slice(0, -1)
    const folder = folders.slice(0, folders[0] === 'apps' ? 4 : 2).join('/') || path
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...[...counts].sort(([one], [other]) => (one < other ? -1 : 1)), ['in all', all.length]].map(
    ([folder, count]) => `${String(count).padStart(6)}  ${folder}`,
  )
}
