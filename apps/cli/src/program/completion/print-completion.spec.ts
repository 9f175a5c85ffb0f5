import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runCli } from '../../specs/run-cli.js'

let folder: string
let script: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bearing-spec-'))
  script = join(folder, 'completion.bash')
  writeFileSync(script, (await runCli(['completion', 'bash'])).stdout)
  writeFileSync(join(folder, 'scans one.json'), '[]')
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** What bash offers after the words; the last one is what has been typed of the next. The `bearing` of its path has two contexts. */
function complete(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const program = `source '${script}'
bearing() { [[ $* == 'context list -o csv' ]] && printf '%s\\n' name,current,url acme,true,x localhost:8080,false,y; }
COMP_WORDS=(bearing ${quoted}) COMP_CWORD=${String(words.length)}
_bearing
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', program], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

describe('bash completes', () => {
  it('commands, and commands of commands', () => {
    expect(complete('')).toEqual(
      expect.arrayContaining(['organizations', 'projects', 'locate', 'whoami', 'completion']),
    )
    expect(complete('org')).toEqual(['organizations', 'org-tokens'])
    expect(complete('project-key', '')).toEqual(expect.arrayContaining(['show', 'rotate']))
    expect(complete('projects', 'l')).toEqual(['list'])
  })

  it('flags of the command, and global flags everywhere', () => {
    expect(complete('org-tokens', 'create', '--exp')).toEqual(['--expires-at', '--expires-in'])
    expect(complete('projects', 'list', '--org')).toEqual(['--org-token', '--org'])
    expect(complete('projects', 'list', '--exp')).toEqual([])
  })

  it('after flags and their values', () => {
    expect(complete('--org', 'projects', 'projects', 'sh')).toEqual(['show'])
    expect(complete('--url', '=', 'http', 'projects', 'sh')).toEqual(['show'])
    expect(complete('--json', 'projects', 'sh')).toEqual(['show'])
    expect(complete('-p', 'devices', 'projects', 'sh')).toEqual(['show'])
  })

  it('values that are known, and none that are not', () => {
    expect(complete('org-tokens', 'create', '--permission', 'location')).toEqual(['location:resolve'])
    expect(complete('org-tokens', 'create', '--permission', '=', 'location')).toEqual(['location:resolve'])
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
    expect(complete('projects', 'list', '-o', 'j')).toEqual(['json'])
    expect(complete('--org', '')).toEqual([])
  })

  it('names of contexts', () => {
    for (const place of [['context', 'use'], ['context', 'set'], ['context', 'delete'], ['--context']])
      expect(complete(...place, '')).toEqual(['acme', 'localhost:8080'])
    expect(complete('projects', 'list', '--context', 'a')).toEqual(['acme'])
    expect(complete('context', 'create', '')).toEqual([])
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

it('every command of the help is in the script of every shell', async () => {
  const { stdout: help } = await runCli(['--help'])
  const commands = [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name]) => name,
  )
  expect(commands.length).toBeGreaterThan(8)
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { stdout } = await runCli(['completion', shell])
    for (const command of commands) expect(stdout).toContain(command)
  }
})

describe('the script for PowerShell', () => {
  it('has balanced brackets, and texts that PowerShell does not expand', async () => {
    const { stdout } = await runCli(['completion', 'powershell'])
    // Without comments and texts in single quotes, where two quotes are one.
    const code = stdout.replaceAll(/^\s*#.*$/gm, '').replaceAll(/'(?:[^']|'')*'/g, '')
    for (const [open, close] of ['()', '{}', '[]'].map((pair) => pair.split('') as [string, string]))
      expect(code.split(open).length).toBe(code.split(close).length)
    expect(code).not.toContain("'")
    expect(stdout).toContain("'devices list' = @('--q|")
    expect(stdout).toContain("'projects' = @('list|list the projects of an organization")
  })
})
