import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runCli } from '../../testing/run-cli.js'
import { commandTree, leavesOf } from '../reference/command-tree.js'
import { FILES, choicesFor } from './choices.js'
import { SCRIPTS } from './scripts.js'

const MAIN = join(import.meta.dirname, '..', '..', 'main.js')
const CONTEXTS = ['acme', 'localhost:8080']
const program = await commandTree()

/** Returns the choices after the words, as far as they begin with the last one. */
function offered(...words: string[]): string[] {
  return choicesFor(program, words, () => CONTEXTS)
    .map(([word]) => word)
    .filter((word) => word.startsWith(words.at(-1) ?? ''))
}

describe('choices', () => {
  it('are commands, and commands of commands', () => {
    expect(offered('')).toEqual(
      expect.arrayContaining(['organizations', 'projects', 'locate', 'whoami', 'completion']),
    )
    expect(offered('org')).toEqual(['org-tokens', 'organizations'])
    expect(offered('project-key', '')).toEqual(expect.arrayContaining(['show', 'rotate']))
    expect(offered('projects', 'l')).toEqual(['list'])
    for (const [path] of leavesOf(program)) {
      const name = path.at(-1) ?? ''
      expect([path, offered(...path.slice(0, -1), name)]).toEqual([path, expect.arrayContaining([name])])
    }
  })

  it('are flags of the command, and global flags everywhere', () => {
    expect(offered('org-tokens', 'create', '--exp')).toEqual(['--expires-at', '--expires-in'])
    expect(offered('projects', 'list', '--org')).toEqual(['--org-token', '--org'])
    expect(offered('projects', 'list', '--exp')).toEqual([])
  })

  it('are found after flags and their values', () => {
    expect(offered('--org', 'projects', 'projects', 'sh')).toEqual(['show'])
    expect(offered('--url', '=', 'http', 'projects', 'sh')).toEqual(['show'])
    expect(offered('--url=http', 'projects', 'sh')).toEqual(['show'])
    expect(offered('--json', 'projects', 'sh')).toEqual(['show'])
    expect(offered('-p', 'devices', 'projects', 'sh')).toEqual(['show'])
  })

  it('are values that are known, and none that are not', () => {
    expect(offered('org-tokens', 'create', '--permission', 'location:')).toEqual(['location:resolve'])
    expect(offered('org-tokens', 'create', '--permission', '=', 'location:')).toEqual(['location:resolve'])
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
    expect(offered('projects', 'list', '-o', 'j')).toEqual(['json'])
    expect(offered('--org', '')).toEqual([])
  })

  it('are names of contexts, and files', () => {
    for (const place of [
      ['context', 'use'],
      ['context', 'delete'],
      ['--context'],
      ['projects', 'list', '--context'],
    ])
      expect(offered(...place, '')).toEqual(CONTEXTS)
    expect(offered('context', 'create', '')).toEqual([])
    for (const place of [['locate'], ['access-points', 'import']])
      expect(offered(...place, '')).toEqual([FILES])
  })
})

describe('bash completes', () => {
  let folder: string
  let script: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bearing-spec-'))
    script = join(folder, 'completion.bash')
    writeFileSync(script, (await runCli(['completion', 'bash'])).stdout)
    writeFileSync(join(folder, 'scans one.json'), '[]')
    mkdirSync(join(folder, 'bearing'))
    const contexts = Object.fromEntries(CONTEXTS.map((name) => [name, { url: 'https://example.com' }]))
    writeFileSync(join(folder, 'bearing', 'contexts.json'), JSON.stringify({ contexts }), { mode: 0o600 })
  })

  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  /** Returns the offers of bash after the words; the last one is the typed part of the next. */
  function complete(...words: string[]): string[] {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const text = `source '${script}'
bearing() { XDG_CONFIG_HOME='${folder}' '${process.execPath}' '${MAIN}' "$@"; }
COMP_WORDS=(bearing ${quoted}) COMP_CWORD=${String(words.length)}
_bearing
printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', text], { cwd: folder, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.split('\n').filter(Boolean)
  }

  it('commands, flags and their values', () => {
    expect(complete('org')).toEqual(['org-tokens', 'organizations'])
    expect(complete('org-tokens', 'create', '--exp')).toEqual(['--expires-at', '--expires-in'])
    expect(complete('projects', 'list', '-o', '=')).toEqual(expect.arrayContaining(['json', 'csv']))
    expect(complete('--org', '')).toEqual([])
  })

  it('what follows a colon, which bash takes for a word of its own', () => {
    expect(complete('context', 'use', 'localhost', ':', '8')).toEqual(['8080'])
    expect(complete('--context', 'localhost', ':')).toEqual(['8080'])
    expect(complete('org-tokens', 'create', '--permission', 'location', ':', 're')).toEqual(['resolve'])
  })

  it('file names, also with spaces', () => {
    expect(complete('locate', 'sc')).toEqual(['scans one.json'])
    expect(complete('access-points', 'import', 'comp')).toEqual(['completion.bash'])
  })
})

it('the script for PowerShell has balanced brackets, and texts that PowerShell does not expand', () => {
  // Without comments and texts in quotes.
  const code = SCRIPTS.powershell.replaceAll(/^\s*#.*$/gm, '').replaceAll(/'[^']*'|"[^"]*"/g, '')
  for (const [open, close] of ['()', '{}', '[]'].map((pair) => pair.split('') as [string, string]))
    expect(code.split(open).length).toBe(code.split(close).length)
  expect(code).not.toContain("'")
})
