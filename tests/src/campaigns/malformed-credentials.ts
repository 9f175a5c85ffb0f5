import { Buffer } from 'node:buffer'
import { Agent, request } from 'node:http'

/** A pseudo-random number from 0 up to 1: the same ones for the same seed, so that a failure can be repeated. */
type Random = () => number

/** Credentials that are right, to make wrong ones of. */
export interface RightCredentials {
  readonly organizationToken: string
  /** Tokens that come from others: derived, or exchanged for that of a workload. */
  readonly furtherTokens: readonly string[]
  /** The token that a workload exchanges. It is no credential itself. */
  readonly workloadToken: string
  readonly email: string
  readonly userKey: string
  readonly projectKey: string
}

/** One header line after the other: a name may be there twice. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** Mulberry32 (Tommy Ettinger, public domain): enough for choosing among mistakes. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Headers that bring along no right credential, nearly right as often as nonsense. None of them is a well-formed e-mail
 * address with a password, which would be hashed at great cost: those are guesses, and have limits and tests of their own.
 */
export function malformedCredential(random: Random, right: RightCredentials): HeaderLines {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item // it has some
  const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`
  const token = () => mutated(random, pick([right.organizationToken, ...right.furtherTokens]))
  const userKey = () => `brgu_${mutated(random, right.userKey.slice(5))}`
  const kinds: (() => HeaderLines)[] = [
    () => [['authorization', `Bearer ${token()}`]],
    () => [['authorization', `Bearer ${right.workloadToken}`]],
    () => [['authorization', basic(`:${right.workloadToken}`)]],
    () => [['authorization', `${pick(['bearer', 'BEARER', 'Bearer ', 'Token', 'Bearer\t'])} ${token()}`]],
    () => [['authorization', basic(`:${token()}`)]],
    () => [['authorization', basic(`${right.email}:${userKey()}`)]],
    () => [['authorization', basic(`${mutated(random, right.email)}:${right.userKey}`)]],
    () => [['authorization', basic(`${noise(random, 1)}:${noise(random, 40)}`)]],
    () => [['authorization', basic(Buffer.from(Array.from(noise(random, 30), () => random() * 256)))]],
    () => [['authorization', `Basic ${wrongBase64(random, `${right.email}:${right.userKey}`)}`]],
    () => [['authorization', visible(noise(random, 60))]],
    () => [['service-project-key', mutated(random, right.projectKey)]],
    () => [['service-project-key', visible(noise(random, 33))]],
    () => [
      [
        'cookie',
        `__Host-bearing_session=${mutated(random, right.organizationToken.replace('brgo_', 'brgs_'))}`,
      ],
    ],
    () => [
      ['authorization', `Bearer ${right.organizationToken}`],
      ['authorization', `Bearer ${token()}`],
    ],
    () => [
      ['authorization', `Bearer ${right.organizationToken}`],
      ['service-project-key', mutated(random, right.projectKey)],
    ],
    () => [
      ['authorization', `Bearer ${right.organizationToken}`],
      ['cookie', `__Host-bearing_session=${mutated(random, right.organizationToken)}`],
    ],
  ]
  return pick(kinds)()
}

/**
 * Base 64 with mistakes that is not the text all the same: some of its bits stand for nothing, and one bit of a letter only
 * for its case, which an e-mail address has none of.
 */
function wrongBase64(random: Random, text: string): string {
  for (;;) {
    const encoded = `${mutated(random, Buffer.from(text).toString('base64'))}=`
    if (Buffer.from(encoded, 'base64').toString().toLowerCase() !== text.toLowerCase()) return encoded
  }
}

/** A text with one to three mistakes; never the text itself. */
function mutated(random: Random, text: string): string {
  let changed = text
  do {
    for (let mistakes = 1 + Math.floor(random() * 3); mistakes > 0; mistakes--)
      changed = mistake(random, changed)
  } while (changed === text || changed.toLowerCase() === text)
  return changed
}

function mistake(random: Random, text: string): string {
  const at = Math.floor(random() * text.length)
  const character = String.fromCharCode(0x21 + Math.floor(random() * 0x5e))
  switch (Math.floor(random() * 6)) {
    case 0:
      return text.slice(0, at) + character + text.slice(at + 1)
    case 1:
      return text.slice(0, at) + character + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at + 1)
    case 3:
      return text.slice(0, at)
    case 4:
      return text + text.slice(at)
    default:
      return `${text.slice(at)}${text.slice(0, at)}`
  }
}

function noise(random: Random, longest: number): string {
  return Array.from({ length: 1 + Math.floor(random() * longest) }, () =>
    String.fromCharCode(Math.floor(random() * 0x180)),
  ).join('')
}

/** Replaces characters that cannot stand in a header: no HTTP client sends them. */
function visible(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?').trim()
}

/** The outcome of a campaign. */
export interface Outcome {
  /** Number of answers, by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Answers that must not be: what was sent, without the right credential it was made of, and the status. */
  readonly wrong: readonly { readonly number: number; readonly status: number }[]
}

/** Statuses that a wrong credential may be answered with. */
const REFUSED = new Set([400, 401, 403, 429])

/**
 * Sends so many malformed credentials to a gateway, some at a time.
 *
 * @param path of a route that the right credentials open
 * @param report receives the number of sent requests, now and then
 */
export async function sendMalformed(
  gateway: string,
  path: string,
  right: RightCredentials,
  options: { readonly count: number; readonly seed: number; readonly report?: (done: number) => void },
): Promise<Outcome> {
  const { count, seed, report } = options
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const random = randomFrom(seed)
  const statuses = new Map<number, number>()
  const wrong: { number: number; status: number }[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const number = next++
      const status = await statusOf(agent, gateway + path, malformedCredential(random, right))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (!REFUSED.has(status)) wrong.push({ number, status })
      if (number % 10_000 === 0) report?.(number)
    }
  }
  await Promise.all(Array.from({ length: 64 }, work))
  agent.destroy()
  return { statuses, wrong }
}

function statusOf(agent: Agent, url: string, lines: HeaderLines): Promise<number> {
  const headers: Record<string, string[]> = {}
  for (const [name, value] of lines) (headers[name] ??= []).push(value)
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      response.resume()
      response.once('end', () => {
        resolve(response.statusCode ?? 0)
      })
    })
    for (const [name, values] of Object.entries(headers)) sent.setHeader(name, values)
    sent.once('error', reject)
    sent.end()
  })
}
