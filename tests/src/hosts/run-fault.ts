import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { compare } from './ledger.js'
import { newPrincipals } from './principals.js'
import { isDone, Traffic, type Clients, type Kind, type Sent } from './traffic.js'

/** Time before a fault, in which nothing may fail, and after it, in milliseconds. */
const [BEFORE_MS, AFTER_MS] = [3_000, 2_000]
/** Status that clients may see while something fails: "not now", or no answer from a gateway that was killed. Anything else is wrong. */
const NOT_NOW = 503
const SHOWN = 3
/** Everything is served again if nothing failed for so long, and the time limit for that on any machine, in milliseconds. */
const [SERVED_MS, SERVED_WITHIN_MS] = [3_000, 120_000]

/** The environment of a fault. */
export interface Lab extends Clients {
  /** Gives a number from 0 up to 1. */
  readonly random: () => number
  readonly report: (line: string) => void
}

/** Something that fails, and the condition that must hold meanwhile. */
export interface Fault {
  /** For the command line. */
  readonly name: string
  readonly title: string
  /** The condition that must hold, beside that nothing acknowledged is lost or stored twice. */
  readonly bar: string
  /** Makes it fail, and ends the fault. */
  readonly happen: (lab: Lab, requests: Requests) => Promise<Finding>
}

/** The measured values, and the missed parts of the bar, which depend on how busy the machine is. */
export interface Finding {
  readonly measured: string
  readonly missed: readonly string[]
}

/** The outcome of a fault. */
export interface Outcome extends Finding {
  readonly fault: Fault
  /** Faults that may happen on no machine: writes that are lost or stored twice, and other answers than "not now". */
  readonly wrong: readonly string[]
  readonly requests: number
  /** The requests that were not served. */
  readonly failures: readonly Sent[]
  /** Number of writes that were acknowledged, and of those that are stored. */
  readonly acknowledged: number
  readonly stored: number
  /** Writes that are stored more than once. */
  readonly doubled: number
}

/** The requests since a fault began. */
export class Requests {
  constructor(private readonly traffic: Traffic) {}

  /** Of one kind or all, that started after a moment (`performance.now()`). */
  since(fromMs: number, kind?: Kind): readonly Sent[] {
    return this.traffic.sent.filter(
      (sent) => sent.startedMs >= fromMs && (kind === undefined || sent.kind === kind),
    )
  }

  /** Returns the time from a moment to the answer of the last request that was not served, in seconds; 0 if all were. */
  lastFailedS(fromMs: number, kind?: Kind, gateway?: string): number {
    const failed = this.traffic.sent.filter(
      (sent) =>
        !isDone(sent) &&
        sent.endedMs >= fromMs &&
        (kind === undefined || sent.kind === kind) &&
        (gateway === undefined || sent.gateway === gateway),
    )
    return Math.max(0, ...failed.map(({ endedMs }) => (endedMs - fromMs) / 1_000))
  }

  /** Waits until nothing fails any more. @throws where that takes too long on any machine */
  async untilServed(kind?: Kind): Promise<void> {
    const isServed = () => {
      const fromMs = performance.now() - SERVED_MS
      const ended = this.traffic.sent.filter((sent) => kind === undefined || sent.kind === kind)
      const recent = ended.filter(({ endedMs }) => endedMs >= fromMs)
      const failing = [...new Set(recent.filter((sent) => !isDone(sent)).map(answerOf))]
      if (recent.length === 0) throw new Error(`no ${kind ?? 'request'} is answered`)
      if (failing.length > 0) throw new Error(`still ${failing.join('; ')}`)
    }
    await sleep(SERVED_MS)
    await eventually(isServed, { withinMs: SERVED_WITHIN_MS, everyMs: 100 })
  }
}

/** Runs a fault under traffic, and compares what was acknowledged with what is stored. */
export async function runFault(lab: Lab, fault: Fault): Promise<Outcome> {
  const { stack, own, report } = lab
  report(`${fault.title} …`)
  const name = `${fault.name}-${Math.floor(lab.random() * 2 ** 32).toString(36)}`
  const traffic = new Traffic(lab, name)
  try {
    await sleep(BEFORE_MS)
    const early = traffic.sent.filter((sent) => !isDone(sent))
    const finding = await fault.happen(lab, new Requests(traffic))
    await sleep(AFTER_MS)
    await traffic.stop()
    const requests = traffic.sent
    const { acknowledged, stored, doubled, faults } = await compare(stack, own, traffic)
    const before = early.map((sent) => `before it ${answerOf(sent)}`)
    return {
      fault,
      measured: finding.measured,
      missed: [...finding.missed, ...before.slice(0, SHOWN)],
      wrong: [
        ...wrongAnswers(requests),
        ...faults,
        ...(acknowledged === 0 ? ['nothing was acknowledged, so nothing was measured'] : []),
      ],
      requests: requests.length,
      failures: requests.filter((sent) => !isDone(sent)),
      acknowledged,
      stored,
      doubled,
    }
  } finally {
    await traffic.stop()
  }
}

/** Makes the organization that the clients of a lab belong to, and waits until nothing is slow because it happens for the first time. */
export async function openLab(settings: Omit<Lab, 'own' | 'principals'>): Promise<Lab> {
  const own = await newOrganization(settings.stack)
  const lab = { ...settings, own, principals: await newPrincipals(settings.stack, own) }
  const traffic = new Traffic(lab, 'warm')
  try {
    await new Requests(traffic).untilServed()
  } finally {
    await traffic.stop()
  }
  return lab
}

function wrongAnswers(requests: readonly Sent[]): string[] {
  const others = requests.filter((sent) => !isDone(sent) && ![NOT_NOW, 0].includes(sent.status))
  const seen = new Map<string, number>()
  for (const what of others.map(answerOf)) seen.set(what, (seen.get(what) ?? 0) + 1)
  return [...seen].map(([what, times]) => `${what}, ${String(times)} times`)
}

function answerOf({ kind, status }: Sent): string {
  return `a ${kind} was answered ${String(status)}`
}
