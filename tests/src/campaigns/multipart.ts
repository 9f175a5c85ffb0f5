import { newOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { TestDevice } from '../tools/device-data.js'
import { randomFrom } from './malformed-credentials.js'

const HEADERS = [
  '',
  'Content-Type: application/octet-stream\r\n',
  'Content-Disposition: form-data; name="chunk"\r\n',
  'Content-Length: LENGTHContent-Type: application/octet-stream\r\n',
]

/** Every character that RFC 2046 §5.1.1 allows in a boundary; the last one cannot be a space. */
const BOUNDARY_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'()+_,-./:=? "
const LONGEST_BOUNDARY = 70
/** Requests between two measurements of what a body costs. */
const MEASURE_EVERY = 50
/** Bytes of a body whose cost is measured. */
const MEASURED_BYTES = 128 * 1024
/** Most processor time of the gateway for such a body, as a multiple of that for a body of one part that is as long. */
const COST_RATIO = 20
/** Requests of one measurement: processor time is counted in milliseconds. */
const REPEATED = 8

/** The replies, and what is wrong with them. */
export interface MultipartOutcome {
  readonly statuses: ReadonlyMap<number, number>
  readonly wrong: readonly string[]
}

interface Devices {
  readonly whole: TestDevice
  readonly damaged: TestDevice
}

/**
 * Sends multipart bodies with random boundaries through a whole gateway. Every chunk of a well-formed body has to be stored. A
 * body that was damaged may be accepted, or refused as malformed, and nothing else. Whatever a body repeats, it may not cost the
 * gateway more processor time than a small multiple of a plain body of its length.
 */
export async function sendMultipart(
  count: number,
  seed: number,
  report: (done: number) => void,
): Promise<MultipartOutcome> {
  await using stack = await startStack({
    postgres: 'own',
    gateways: 1,
    services: ['identity', 'management'],
    environment: { gateway: { LOG_LEVEL: 'warn' } },
    constants: { gateway: { REQUESTS_PER_CREDENTIAL: 0 } },
  })
  const own = await newOrganization(stack)
  const device = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, own.project)
  const devices = { whole: device(), damaged: device() }
  const random = randomFrom(seed)
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  let expected = 0
  for (let done = 0; done < count; done++) {
    const sent = await sendOne(devices, random)
    statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1)
    expected += sent.expected
    if (sent.status !== 202 && !(sent.expected === 0 && sent.status === 400))
      wrong.push(`number ${String(done)} was answered ${String(sent.status)}`)
    if (done % MEASURE_EVERY === 0) {
      report(done)
      const repeated = done === 0 ? { boundary: ':', pattern: '--:\n' } : newRepeated(random)
      const costly = await findCostly(stack, devices.damaged, repeated)
      if (costly !== undefined) wrong.push(`number ${String(done)}: ${costly}`)
    }
  }
  if (expected > 0 && (await devices.whole.count(expected)) !== expected)
    wrong.push('not every chunk of the well-formed bodies is stored once')
  return { statuses, wrong }
}

async function sendOne({ whole, damaged }: Devices, random: () => number) {
  const parts = 1 + Math.floor(random() * 5)
  const boundary = newBoundary(random)
  const body = multipart(parts, boundary, random)
  if (random() < 0.5) {
    const { status } = await damaged.send(damage(body, boundary, random), [typeOf(boundary)])
    return { status, expected: 0 }
  }
  const { status } = await whole.send(body, [typeOf(boundary)])
  return { status, expected: parts }
}

interface Repeated {
  readonly boundary: string
  /** Repeated, it makes the body. */
  readonly pattern: string
}

function newRepeated(random: () => number): Repeated {
  const boundary = newBoundary(random)
  const lines = [`--${boundary}`, `--${boundary}\n`, boundary, '\n', '\r\n']
  const pieces = [...lines, '-', ' ', ':', 'a:', 'Content-Length:', '1']
  const pick = () => pieces[Math.floor(random() * pieces.length)] ?? ''
  return { boundary, pattern: Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join('') }
}

/** Returns what is wrong if a body that repeats a pattern costs too much. */
async function findCostly(
  stack: Stack,
  device: TestDevice,
  { boundary, pattern }: Repeated,
): Promise<string | undefined> {
  const repeated = pattern.repeat(Math.ceil(MEASURED_BYTES / pattern.length)).slice(0, MEASURED_BYTES)
  const plain = `--${boundary}\r\n\r\n${'x'.repeat(MEASURED_BYTES)}\r\n--${boundary}--\r\n`
  const cost = async (body: string) => {
    const before = await processorSeconds(stack)
    for (let i = 0; i < REPEATED; i++) await device.send(body, [typeOf(boundary)])
    return (await processorSeconds(stack)) - before
  }
  const plainSeconds = Math.max(await cost(plain), 0.01)
  const seconds = await cost(repeated)
  if (seconds <= COST_RATIO * plainSeconds) return undefined
  const figures = `${seconds.toFixed(3)} s instead of ${plainSeconds.toFixed(3)} s of processor time`
  return `${figures} for ${JSON.stringify({ boundary, pattern })}`
}

async function processorSeconds(stack: Stack): Promise<number> {
  const total = /^process_cpu_seconds_total (\S+)$/m.exec(await stack.metrics('gateway-1'))?.[1]
  if (total === undefined) throw new Error('the gateway does not say how much processor time it has used')
  return Number(total)
}

function newBoundary(random: () => number): string {
  const length = 1 + Math.floor(random() ** 3 * LONGEST_BOUNDARY)
  const boundary = Array.from(
    { length },
    () => BOUNDARY_CHARACTERS[Math.floor(random() * BOUNDARY_CHARACTERS.length)],
  ).join('')
  return boundary.endsWith(' ') ? `${boundary.slice(0, -1)}:` : boundary
}

function typeOf(boundary: string): string {
  return `Content-Type: multipart/mixed; boundary="${boundary}"`
}

/** Parts say how long they are, so that they can contain a short boundary. */
function multipart(parts: number, boundary: string, random: () => number): string {
  const content = () =>
    Array.from({ length: 1 + Math.floor(random() * 40) }, () => String.fromCharCode(random() * 256)).join('')
  const written = Array.from({ length: parts }, () => {
    const data = content()
    const headers = (HEADERS[Math.floor(random() * HEADERS.length)] ?? '').replace(
      'LENGTH',
      String(data.length),
    )
    const length =
      data.includes(boundary) || headers === '' ? `Content-Length: ${String(data.length)}\r\n` : headers
    return `--${boundary}\r\n${length}\r\n${data}\r\n`
  })
  return `${written.join('')}--${boundary}--\r\n`
}

/** Removes something, inserts something, or cuts the body off. */
function damage(body: string, boundary: string, random: () => number): string {
  const at = Math.floor(random() * body.length)
  const length = Math.floor(random() * 12)
  const noise =
    ['', '\r\n', `--${boundary}`, `--${boundary}--`, '\0', 'Content-Length: 9\r\n'][
      Math.floor(random() * 6)
    ] ?? ''
  return random() < 0.2 ? body.slice(0, at) : body.slice(0, at) + noise + body.slice(at + length)
}
