import type { Command } from 'commander'
import { describe, expect, it } from '@jest/globals'
import { commandTree, leavesOf } from './reference/command-tree.js'
import { id } from './specs/fake-gateway.js'
import { AS_USER, runAgainst } from './specs/run-against.js'

/** Former names, and what they are called today. */
const FORMER = [
  ['org-token list', 'org-tokens list'],
  ['chunk post', 'chunks upload'],
  ['chunk list', 'chunks list'],
  ['coredump upload', 'coredumps upload'],
  ['invitation accept', 'invitations accept'],
  ['invitations revoke', 'invitations delete'],
  ['members set-role', 'members set'],
  ['webhooks update', 'webhooks set'],
  ['sso connections change', 'sso connections set'],
  ['project-key cycle', 'project-key rotate'],
  ['access-points forget', 'access-points erase'],
  ['cells forget', 'cells erase'],
  ['admin forget', 'admin erase'],
  ['sessions end', 'sessions delete'],
  ['totp remove', 'totp delete'],
  ['password change', 'password set'],
  ['password reset-request', 'password request-link'],
  ['admin relearn', 'admin rebuild'],
  ['account sign-ons unlink', 'account sign-ons delete'],
  ['location fallback off', 'location fallback delete'],
  ['devices deletion show', 'devices deletions show'],
] as const

/** Former names at another place of the tree, and what they are called today. */
const MOVED = [
  ['organizations deletion', 'organizations deletions show'],
  ['organizations deleted', 'organizations deletions list'],
  ['projects deletion', 'projects deletions show'],
  ['projects deleted', 'projects deletions list'],
  ['admin delete-user', 'admin users delete'],
] as const

/** Groups whose former name was that of their only command. */
const GROUPS = [
  ['webhooks deliveries', 'list'],
  ['access-points imports', 'list'],
  ['location coverage', 'show'],
] as const

/** Finds a command as commander does, by a name or an alias. */
function find(program: Command, path: string): Command | undefined {
  return path
    .split(' ')
    .reduce<Command | undefined>(
      (group, word) =>
        group?.commands.find((command) => [command.name(), ...command.aliases()].includes(word)),
      program,
    )
}

describe('former names of commands', () => {
  const program = commandTree()
  const paths = leavesOf(program).map(([path]) => path.join(' '))

  it.each(FORMER)('"%s" is "%s" today, and help shows only that', (former, present) => {
    expect(find(program, former)).toBe(find(program, present))
    expect(paths).toContain(present)
    expect(paths).not.toContain(former)
    const group = find(program, present.split(' ').slice(0, -1).join(' '))
    expect(group?.helpInformation()).not.toContain('|')
  })

  it.each(MOVED)('"%s" is "%s" today, takes the same, and is in no help', (former, present) => {
    const takenBy = (command: Command | undefined) => [
      command?.registeredArguments.map((argument) => argument.name()),
      command?.options.map(({ flags }) => flags),
    ]
    expect(find(program, former)).toBeDefined()
    expect(takenBy(find(program, former))).toEqual(takenBy(find(program, present)))
    expect(paths).toContain(present)
    expect(paths).not.toContain(former)
  })

  it.each(GROUPS)('"%s" without "%s" still runs', async (group, verb) => {
    const args = (find(program, `${group} ${verb}`)?.registeredArguments ?? []).map(() => id(6))
    expect(paths).toContain(`${group} ${verb}`)
    const short = await runAgainst({}, [...group.split(' '), ...args])
    const long = await runAgainst({}, [...group.split(' '), verb, ...args])
    expect(short.requests).toEqual(long.requests)
    expect(short.requests).toHaveLength(1)
  })

  it('still run: the chunks of a device that is named by a flag', async () => {
    const short = await runAgainst({}, ['chunks', 'list', '--device', 'D-1'])
    expect(short.requests).toEqual((await runAgainst({}, ['chunks', 'list', 'D-1'])).requests)
    expect(short.requests).toHaveLength(1)
  })

  it('still run: recovery codes without a verb', async () => {
    const codes = { recovery_codes: ['one', 'two'] }
    const options = { environment: AS_USER, stdin: '123456\n' }
    const ran = await runAgainst(
      { renewRecoveryCodes: () => codes },
      ['totp', 'recovery-codes', '--json'],
      options,
    )
    expect(JSON.parse(ran.stdout)).toEqual(codes)
  })

  it('still run: positions below location, and policies that were shown or changed by flags', async () => {
    const policy = { store_positions: false, retention_days: 30 }
    const answers = {
      showPositionPolicy: () => policy,
      changePositionPolicy: () => ({ ...policy, store_positions: true }),
    }
    const shown = await runAgainst(answers, ['location', 'positions', 'policy', '--json'])
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('"store_positions": false') })
    const changed = await runAgainst(answers, ['positions', 'policy', '--store', 'yes', '--json'])
    expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining('"store_positions": true') })
  })
})
