import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { TestDevice } from '../device-data.js'
import { randomFrom } from './malformed-credentials.js'

const HEADERS = [
  '',
  'Content-Type: application/octet-stream\r\n',
  'Content-Disposition: form-data; name="chunk"\r\n',
  'Content-Length: 5Content-Type: application/octet-stream\r\n',
]

/** What has come of it. */
export interface MultipartOutcome {
  readonly statuses: ReadonlyMap<number, number>
  readonly wrong: readonly string[]
}

/**
 * Sends multipart bodies through a whole gateway: well-formed ones, of which every chunk has to be stored, and ones that were
 * damaged anywhere, which may be taken or refused as malformed, and nothing else.
 */
export async function sendMultipart(
  count: number,
  seed: number,
  tell: (done: number) => void,
): Promise<MultipartOutcome> {
  await using stack = await startStack({
    postgres: 'own',
    gateways: 1,
    services: ['identity', 'management'],
    environment: { gateway: { LOG_LEVEL: 'warn', REQUESTS_PER_CREDENTIAL: '0' } },
  })
  const own = await newOrganization(stack)
  const device = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, own.project)
  const [whole, damaged] = [device(), device()]
  const random = randomFrom(seed)
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  let expected = 0
  for (let done = 0; done < count; done++) {
    const parts = 1 + Math.floor(random() * 5)
    const body = multipart(parts, random)
    const isDamaged = random() < 0.5
    const type = ['Content-Type: multipart/mixed; boundary="a b"']
    const reply = isDamaged ? await damaged.send(damage(body, random), type) : await whole.send(body, type)
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    if (!isDamaged) expected += parts
    if (reply.status !== 202 && !(isDamaged && reply.status === 400))
      wrong.push(`number ${String(done)} was answered ${String(reply.status)}`)
    if (done % 100 === 0) tell(done)
  }
  if (expected > 0 && (await whole.count(expected)) !== expected)
    wrong.push('not every chunk of the well-formed bodies is stored once')
  return { statuses, wrong }
}

function multipart(parts: number, random: () => number): string {
  const content = () =>
    Array.from({ length: 1 + Math.floor(random() * 40) }, () => String.fromCharCode(random() * 256)).join('')
  const written = Array.from(
    { length: parts },
    () => `--a b\r\n${HEADERS[Math.floor(random() * HEADERS.length)] ?? ''}\r\n${content()}\r\n`,
  )
  return `${written.join('')}--a b--\r\n`
}

/** Takes something away, puts something in, or cuts it off. */
function damage(body: string, random: () => number): string {
  const at = Math.floor(random() * body.length)
  const length = Math.floor(random() * 12)
  const noise =
    ['', '\r\n', '--a b', '--a b--', '\0', 'Content-Length: 9\r\n'][Math.floor(random() * 6)] ?? ''
  return random() < 0.2 ? body.slice(0, at) : body.slice(0, at) + noise + body.slice(at + length)
}
