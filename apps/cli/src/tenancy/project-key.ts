import type { CallOutput } from '@bearing/client/call-types'
import { ProblemError } from '@bearing/client/errors'
import { parsed, projectKeyOf } from '../ground/arguments.js'
import { verb, callVerb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { count, counted, moment } from '../ground/output/format.js'
import { requireTerminal } from '../session/confirm-typed.js'
import { replaceFlags, graceOf, PROJECT_KEY_GRACE } from '../ground/times.js'
import type { Session } from '../session/session.js'

callVerb('project-key show', {
  about: "show a project's key, and previous keys in their grace period; they are not secret",
  call: 'showProjectKey',
  after: printProjectKey,
})

/** Prints a project key, and previous keys in their grace period. */
function printProjectKey({ output }: Cli, key: CallOutput<'showProjectKey'>): void {
  output.record(
    {
      'Project key': key.api_key,
      Created: moment(key.created_at),
      'Last used': moment(key.last_used_at, 'never'),
      Devices: key.last_used_at === null ? undefined : devicesOf(key),
      'In grace': key.in_grace.flatMap((old) => [
        `${old.api_key} until ${moment(old.expires_at)}`,
        ...(old.last_used_at === null
          ? ['not used']
          : [`last used ${moment(old.last_used_at)}`, devicesOf(old)]),
      ]),
      Requested: key.requested ? requestedText(key.requested) : undefined,
    },
    key,
  )
}

function requestedText({
  api_key,
  network,
  expires_at,
}: NonNullable<CallOutput<'showProjectKey'>['requested']>): string {
  const by = network === null ? 'an operator decides' : `the first request from ${network} imports it`
  return `${api_key} until ${moment(expires_at)}: ${by}`
}

callVerb('project-key import', {
  about: 'ask for the key that devices have already; for admins',
  takes: {
    '<key>': parsed('the key that the devices send: 32 of 0–9 and a–f', projectKeyOf),
    '--network <range>':
      'import it with the first request from this IP address or range; without it an operator decides',
  },
  examples: ['0123456789abcdef0123456789abcdef --network 203.0.113.0/24'],
  call: 'requestKeyImport',
  input: ({ key, network }) => ({ api_key: key, network: network ?? null }),
  done: (requested) =>
    requested.network === null
      ? 'Requested. An operator imports the key with "bearing admin import-project-key".'
      : `Requested. The first request with the key from ${requested.network} imports it.`,
  show: { 'Project key': 'api_key', Network: 'network', Expires: 'expires_at' },
})

callVerb('project-key cancel-import', {
  about: 'withdraw the request for a key',
  call: 'cancelKeyImport',
  done: 'No key is requested any more.',
})

type Use = Pick<CallOutput<'showProjectKey'>, 'devices' | 'last_used_at'>

/** Describes the use of a key: `about 12 devices in 24 h, about 3 in the last hour; last used …`. */
function useOf(key: Use): string {
  return key.last_used_at === null ? 'not used' : `${devicesOf(key)}; last used ${moment(key.last_used_at)}`
}

function devicesOf({ devices: { last_day, last_hour } }: Use): string {
  return `about ${counted(last_day, 'device')} in 24 h, about ${count(last_hour)} in the last hour`
}

verb('project-key rotate', {
  about: "replace a project's key; devices can use the old key for 7 more days",
  takes: {
    ...replaceFlags(
      PROJECT_KEY_GRACE,
      'do not ask for confirmation; without a terminal needed for --immediately while devices use the key',
    ),
  },
  examples: ['--grace 2d'],
  run: async (cli, flags) => {
    const grace = graceOf(flags, PROJECT_KEY_GRACE)
    const session = await cli.session()
    const { client, organization, project } = session
    const before = await readKey(session)
    if (before) cli.output.say(`The old key: ${useOf(before)}.`)
    // A cycle without a grace period also ends those of keys before.
    for (const key of grace.seconds === 0 ? (before?.in_grace ?? []) : [])
      cli.output.say(`The key ${key.api_key} stops working, too: ${useOf(key)}.`)
    // A device whose key is rejected may delete what it was about to send. Whether a key that may not be read is used, is unknown.
    const isUsed = !before || [before, ...before.in_grace].some(({ devices }) => devices.last_day > 0)
    if (!flags.yes && grace.seconds === 0 && isUsed) requireTerminal(cli, '--yes')
    if (!flags.yes)
      await cli.confirm(
        grace.seconds === 0
          ? 'Replace the key? Devices with the old key are rejected immediately.'
          : `Replace the key? Devices with the old key are rejected after ${grace.text}.`,
      )
    const key = await client.call('cycleProjectKey', { organization, project, grace_seconds: grace.seconds })
    cli.output.done(
      grace.seconds === 0
        ? 'Project key replaced. The old key no longer works.'
        : `Project key replaced. The old key works for another ${grace.text}.`,
    )
    printProjectKey(cli, key)
    if (grace.seconds > 0)
      cli.output.say(
        'Watch how many devices still use the old key: bearing project-key show\nEnd the grace period early: bearing project-key end-grace',
      )
  },
})

/** Returns the present key with its use; undefined if the credential may replace it and not read it. */
async function readKey({
  client,
  organization,
  project,
}: Session): Promise<CallOutput<'showProjectKey'> | undefined> {
  try {
    return await client.call('showProjectKey', { organization, project })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'permission_denied') return undefined
    throw error
  }
}

verb('project-key end-grace', {
  about: 'end the grace period of replaced keys; the current key stays',
  takes: { '-y, --yes': 'do not ask for confirmation; without a terminal needed while devices use the keys' },
  run: async (cli, { yes }) => {
    const { client, organization, project } = await cli.session()
    const { in_grace } = await client.call('showProjectKey', { organization, project })
    for (const key of in_grace) cli.output.say(`${key.api_key}: ${useOf(key)}.`)
    // A device whose key is rejected may delete what it was about to send.
    if (!yes && in_grace.some(({ devices }) => devices.last_day > 0)) requireTerminal(cli, '--yes')
    if (in_grace.length > 0 && !yes)
      await cli.confirm('End the grace period? Devices with these keys are rejected immediately.')
    const key = await client.call('endKeyGraces', { organization, project })
    cli.output.done(in_grace.length > 0 ? 'Grace period ended.' : 'No replaced key is in its grace period.')
    printProjectKey(cli, key)
  },
})
