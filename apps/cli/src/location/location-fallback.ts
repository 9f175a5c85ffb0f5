import type { CallOutput } from '@bearing/client/call-types'
import { InvalidArgumentError } from 'commander'
import { oneOf, parsed } from '../ground/arguments.js'
import { count } from '../ground/output/format.js'
import type { Cli } from '../session/cli.js'
import { verb, callVerb } from '../session/verb.js'

type LocationFallback = CallOutput<'showLocationFallback'>

callVerb('location fallback show', { about: 'show the fallback', call: 'showLocationFallback', after: print })

callVerb('location fallback delete', {
  about: 'remove the fallback and its key',
  question: 'Delete the fallback with its key?',
  call: 'turnOffLocationFallback',
  done: 'Fallback removed.',
  after: print,
})

verb('location fallback set', {
  about: 'set a fallback with the geolocation API',
  takes: {
    '<url>': 'URL without a key: https://geolocation.example/v1/geolocate',
    '--new-key': 'read its key from standard input',
    '--no-key': 'send no key (default: keep the key if the URL is the same)',
    '--key-as <how>': oneOf('send the key as ?key=, or as Authorization: Bearer', ['query', 'bearer']),
    '--accuracy-confidence <percent>': parsed(
      'percentage of its circles that contain the true position: 50 to 99',
      number,
    ),
    '--requests-per-minute <number>': parsed('maximum requests per minute', number),
    '--timeout-ms <milliseconds>': parsed('time-out: 100 to 3000', number),
  },
  help: `What Bearing cannot locate itself is sent there: addresses and signal strengths of access points whose owners did not opt
out, and radio cells. Never sent: who asks, which device it is, names of networks, addresses of callers.`,
  examples: ['https://geolocation.example/v1/geolocate --new-key < key.txt'],
  run: async (cli, { url, ...flags }) => {
    const { newKey, key, keyAs, accuracyConfidence, requestsPerMinute, timeoutMs } = flags
    const session = await cli.session()
    const { client, organization } = session
    const before = await client.call('showLocationFallback', { organization })
    const { accuracy_confidence, requests_per_minute, timeout_ms, key_as } = before
    const set = await client.call('setLocationFallback', {
      organization,
      url,
      ...(newKey ? { key: await cli.askSecret('the key of the service') } : !key && { key: null }),
      key_as: keyAs ?? key_as,
      accuracy_confidence: accuracyConfidence ?? accuracy_confidence,
      requests_per_minute: requestsPerMinute ?? requests_per_minute,
      timeout_ms: timeoutMs ?? timeout_ms,
    })
    cli.output.done('Fallback set.')
    if (before.has_key && !set.has_key && key)
      cli.output.notice('The key of the previous URL was deleted. Give the new key with --new-key.')
    print(cli, set)
  },
})

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
