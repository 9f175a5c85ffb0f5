import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { verb } from '../session/verb.js'
import { EXIT, type Cli } from '../session/cli.js'
import { sanitize } from '../ground/output/sanitize.js'
import type { Session } from '../session/session.js'
import { unreadable, UsageError } from '../ground/usage-error.js'
import { oneOf } from '../ground/arguments.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

verb('api', {
  about:
    'send a request to the API, with the credential of the other commands, and print the answer as it is',
  takes: {
    '<method>': { ...oneOf('method of HTTP', METHODS), parse: methodOf },
    '<path>': 'path and query; {organization} and {project} become the slugs',
    '--input <file>': 'file with the body; "-" is standard input',
    '--content-type <type>': { about: 'type of the body', initial: 'application/json' },
  },
  help: `The answer goes to standard output, whatever its status. Exit codes: 0 for a status below 300, 4 for 401, else 1. Only paths of
the gateway (and below /v1/ of the location service) are possible; a redirect is not followed. /docs/api describes them.`,
  examples: [
    "GET '/api/v0/organizations/{organization}/projects?per_page=5'",
    "PATCH '/api/v0/organizations/{organization}/projects/{project}' --input change.json",
  ],
  run: async (cli, { method, path, input, contentType }) => {
    const body = input === undefined ? undefined : await readBody(cli, input)
    const session = await cli.session()
    const target = withSlugs(path, session)
    const response = await session.client.request({ method, target, body, contentType })
    if (cli.output.filter && response.status < 300) await printFiltered(cli, response)
    else await print(cli, response)
    if (response.status < 300) return
    const id = response.headers.get('x-request-id')
    cli.output.say(sanitize(`Status ${String(response.status)}${id === null ? '' : `, request ${id}`}.`))
    cli.exitCode = response.status === 401 ? EXIT.unauthenticated : EXIT.refused
  },
})

function methodOf(text: string): Method {
  const method = METHODS.find((known) => known === text.toUpperCase())
  if (!method) throw new UsageError(`The method must be one of ${METHODS.join(', ')}.`)
  return method
}

function withSlugs(path: string, session: Session): string {
  return path
    .replaceAll('{organization}', () => encodeURIComponent(session.organization))
    .replaceAll('{project}', () => encodeURIComponent(session.project))
}

async function readBody(cli: Cli, file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (file === '-') return new Uint8Array(await buffer(cli.takeStdin('the body')))
  return new Uint8Array(
    await readFile(file).catch((error: unknown) => {
      throw unreadable(file, error)
    }),
  )
}

/** @throws UsageError if the answer is not JSON */
async function printFiltered({ output }: Cli, response: Response): Promise<void> {
  const text = await response.text()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError('The answer is not JSON, so --jq cannot filter it.')
  }
  output.document(value)
}

/** Writes the bytes of an answer. A terminal would interpret some of them, so it receives text with those escaped. */
async function print({ output, terminal: { stdout } }: Cli, response: Response): Promise<void> {
  if (!stdout.isTTY) {
    const pieces = response.body as AsyncIterable<Uint8Array> | null // as Node's fetch gives it
    for await (const bytes of pieces ?? []) if (!stdout.write(bytes)) await once(stdout, 'drain')
    return
  }
  const type = response.headers.get('content-type') ?? ''
  if (!/^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|yaml|xml|x-ndjson))/.test(type)) {
    await response.body?.cancel()
    if (type !== '') throw new UsageError(`The answer is ${sanitize(type)}: send standard output to a file.`)
    return
  }
  const text = indented(await response.text(), type)
  for (const line of text.replace(/\n$/, '').split('\n')) output.print(sanitize(line))
}

/** Returns JSON with a line for each member, and other text as it is. */
function indented(text: string, type: string): string {
  if (!/^application\/(?:[\w.+-]+\+)?json/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
