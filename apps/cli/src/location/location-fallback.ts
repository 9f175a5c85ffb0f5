import type { CallOutput } from '@bearing/client/call-types'
import { InvalidArgumentError, Option } from 'commander'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { readSecret } from '../session/read-secret.js'
import { count } from '../ground/output/format.js'

type LocationFallback = CallOutput<'showLocationFallback'>

interface Flags {
  readonly newKey?: true
  readonly keyAs?: 'query' | 'bearer'
  readonly accuracyConfidence?: number
  readonly requestsPerMinute?: number
  readonly timeoutMs?: number
}

verb('location fallback show', {}, (command, cli) =>
  command.description('show the fallback').action(async () => {
    const { client, organization } = await cli.session()
    print(cli, await client.call('showLocationFallback', { organization }))
  }),
)

verb('location fallback delete', { question: 'Delete the fallback with its key?' }, (command, cli) =>
  command.description('remove the fallback and its key').action(async () => {
    const { client, organization } = await cli.session()
    const off = await client.call('turnOffLocationFallback', { organization })
    cli.output.done('Fallback removed.')
    print(cli, off)
  }),
)

verb(
  'location fallback set',
  { examples: ['https://geolocation.example/v1/geolocate --new-key < key.txt'] },
  (command, cli) =>
    command
      .description('set a fallback with the geolocation API')
      .argument('<url>', 'URL without a key: https://geolocation.example/v1/geolocate')
      .option('--new-key', 'read its key from standard input')
      .option('--no-key', 'send no key (default: keep the key if the URL is the same)')
      .addOption(
        new Option('--key-as <how>', 'send the key as ?key=, or as Authorization: Bearer').choices([
          'query',
          'bearer',
        ]),
      )
      .option(
        '--accuracy-confidence <percent>',
        'percentage of its circles that contain the true position: 50 to 99',
        number,
      )
      .option('--requests-per-minute <number>', 'maximum requests per minute', number)
      .option('--timeout-ms <milliseconds>', 'time-out: 100 to 3000', number)
      .addHelpText(
        'after',
        `
What Bearing cannot locate itself is sent there: addresses and signal strengths of access points whose owners did not opt
out, and radio cells. Never sent: who asks, which device it is, names of networks, addresses of callers.`,
      )
      .action(async (url: string, flags: Flags & { key?: boolean }) => {
        const { newKey, key, keyAs, accuracyConfidence, requestsPerMinute, timeoutMs } = flags
        const session = await cli.session()
        const { client, organization } = session
        const before = await client.call('showLocationFallback', { organization })
        const { accuracy_confidence, requests_per_minute, timeout_ms, key_as } = before
        const set = await client.call('setLocationFallback', {
          organization,
          url,
          ...(newKey ? { key: await readKey(cli) } : key === false && { key: null }),
          key_as: keyAs ?? key_as,
          accuracy_confidence: accuracyConfidence ?? accuracy_confidence,
          requests_per_minute: requestsPerMinute ?? requests_per_minute,
          timeout_ms: timeoutMs ?? timeout_ms,
        })
        cli.output.done('Fallback set.')
        if (before.has_key && !set.has_key && key !== false)
          cli.output.notice('The key of the previous URL was deleted. Give the new key with --new-key.')
        print(cli, set)
      }),
)

/** Reads the key from standard input, because other users can see arguments. */
async function readKey(cli: Cli): Promise<string> {
  const prompt = (text: string) => {
    cli.output.prompt(text)
  }
  const key = await readSecret(cli.takeStdin('the key of the service'), prompt, 'the key of the service')
  cli.secrets.add(key)
  return key
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new InvalidArgumentError('Use a number.')
}

function print(cli: Cli, fallback: LocationFallback): void {
  const { url, has_key, key_as, accuracy_confidence, requests_per_minute, timeout_ms } = fallback
  const isBearer = key_as === 'bearer'
  cli.output.record(
    url === null
      ? { 'Asked elsewhere': 'no' }
      : {
          'Asked elsewhere': url,
          Key: has_key ? (isBearer ? 'as Authorization: Bearer' : 'as ?key=') : 'none',
          'Circles hold': `${String(accuracy_confidence)} %`,
          'At most': `${count(requests_per_minute)} a minute`,
          Within: `${count(timeout_ms)} ms`,
        },
    fallback,
  )
}
