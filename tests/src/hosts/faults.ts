import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@bearing/testing/eventually'
import { NATS_HOSTS } from '@bearing/testing/hosts/host-stack'
import type { Fault, Finding, Requests } from './run-fault.js'
import { leaderOf, untilCaughtUp } from './streams.js'
import { isDone } from './traffic.js'

/** Time that an operator takes to see that the primary is gone, in milliseconds. */
const NOTICED_MS = 6_000
/** Time limit for a gateway to find another NATS server on any machine, in milliseconds. */
const BACK_MS = 60_000
const SECONDS = (value: number) => `${value.toFixed(1)} s`

/** The three servers of NATS are restarted in good order, one after the other. */
export const NATS_ROLLING: Fault = {
  name: 'nats-rolling',
  title: 'NATS servers restarted one right after the other',
  bar: '503 ≤ 0.5 %',
  happen: async ({ stack }, requests) => {
    const beganMs = performance.now()
    for (const host of NATS_HOSTS) {
      await stack.part(host).restart()
      await untilCaughtUp(stack)
    }
    return boundedShare(requests, beganMs, 0.5)
  },
}

/** The leader of the stream of chunks is killed. NATS itself waits 4 to 9 s before it elects another one. */
export const NATS_LEADER: Fault = {
  name: 'nats-leader',
  title: 'leader of the stream of chunks killed',
  bar: 'chunks accepted again ≤ 10 s',
  happen: async ({ stack }, requests) => {
    const leader = await leaderOf(stack)
    await stack.part(leader).kill()
    const killedMs = performance.now()
    await sleep(6_000)
    await requests.untilServed()
    const finding = boundedSeconds(requests, killedMs, { chunk: 10 })
    await stack.part(leader).start()
    await untilCaughtUp(stack)
    return finding
  },
}

/** @param awayMs how long the host is cut off */
export function natsCut(awayMs: number): Fault {
  return {
    name: 'nats-cut',
    title: `NATS host cut off for ${String(awayMs / 1_000)} s`,
    bar: 'last failed read ≤ 10 s; every gateway back while the host is away',
    happen: async ({ stack }, requests) => {
      const metrics = async () => await (await stack.ask('gateway', 'g1', '/metrics')).text()
      const reconnects = async () =>
        Number(/^bearing_nats_reconnects_total (\d+)$/m.exec(await metrics())?.[1])
      const host = await stack.natsServerOf('gateway-g1')
      const before = await reconnects()
      await stack.hosts.cut(host)
      const cutMs = performance.now()
      await sleep(awayMs)
      const isBack = async () => {
        const isConnected =
          /^bearing_nats_connected 1$/m.test(await metrics()) && (await reconnects()) > before
        if (!isConnected) throw new Error('the gateway is not back while the host is away')
      }
      const late = await isBack().then(
        () => [],
        (error: unknown) => [String(error)],
      )
      await eventually(isBack, { withinMs: BACK_MS })
      await requests.untilServed()
      const { measured, missed } = boundedSeconds(requests, cutMs, { read: 10 })
      await stack.hosts.restore(host)
      const restoredMs = performance.now()
      await untilCaughtUp(stack)
      await requests.untilServed()
      const back = requests.lastFailedS(restoredMs)
      return {
        measured: `${measured}; last failure ${SECONDS(back)} after the host was back`,
        missed: [...missed, ...late],
      }
    },
  }
}

/** Size of the disk of each NATS server where one of them is filled, in MiB. */
export const DISK_MEBIBYTES = 128

/** The disk of the NATS server that leads the stream of chunks is full for a while. An operator makes room and restarts the server. */
export const FULL_DISK: Fault = {
  name: 'full-disk',
  title: 'disk full for 30 s at the NATS server that leads the stream of chunks',
  bar: 'chunks accepted again ≤ 10 s',
  happen: async ({ stack }, requests) => {
    const leader = await leaderOf(stack)
    await stack.disk(leader).fill()
    const fullMs = performance.now()
    await sleep(30_000)
    await requests.untilServed()
    const { measured, missed } = boundedSeconds(requests, fullMs, { chunk: 10 })
    const next = await leaderOf(stack)
    await stack.disk(leader).clear()
    await stack.part(leader).restart()
    await untilCaughtUp(stack)
    return { measured: `${measured}; leader ${leader}, then ${next}`, missed }
  },
}

/** The host of the primary is cut off, and its replica promoted. It is the primary from then on. */
export const PRIMARY_CUT: Fault = {
  name: 'primary-cut',
  title: 'Postgres primary cut, replica promoted',
  bar: 'reads back ≤ 5 s after promotion; ≥ 99.9 % of chunks accepted',
  happen: async ({ stack }, requests) => {
    const beganMs = performance.now()
    await stack.hosts.cut('p1')
    await sleep(NOTICED_MS)
    await stack.postgres.promote()
    const promotedMs = performance.now()
    await sleep(6_000)
    await requests.untilServed()
    const reads = requests.lastFailedS(promotedMs, 'read')
    const chunks = requests.since(beganMs, 'chunk')
    const accepted = (100 * chunks.filter(isDone).length) / chunks.length
    // As an operator does, before anybody can reach it again.
    await stack.part('p1').kill()
    await stack.hosts.restore('p1')
    return {
      measured: `last failed read ${SECONDS(reads)} after promotion; ${accepted.toFixed(2)} % of ${String(chunks.length)} chunks accepted`,
      missed: [
        ...(reads > 5 ? [`reads failed until ${SECONDS(reads)} after promotion`] : []),
        ...(accepted < 99.9 ? [`only ${accepted.toFixed(2)} % of chunks were accepted`] : []),
      ],
    }
  },
}

/** One zone (a NATS server, a gateway, one of each service) loses the others and Postgres; clients still reach its gateway. */
export const ZONE_SPLIT: Fault = {
  name: 'zone-split',
  title: 'one of three zones split off for 30 s',
  bar: 'the gateway of the others: last failure ≤ 10 s; all well ≤ 15 s after the split',
  happen: async ({ stack }, requests) => {
    const others = ['n1', 'n3', 'p1', 'p2', 's1', 'g1']
    const inside = `//${stack.hosts.addressOf('g1')}:`
    const gateway = stack.gatewayUrls.find((url) => url.includes(inside))
    await stack.hosts.split(['n2', 's2'], [...others, 'own'])
    await stack.hosts.split(['g2'], others)
    const splitMs = performance.now()
    await sleep(30_000)
    const majority = requests.lastFailedS(splitMs, undefined, gateway)
    const minority = requests.since(splitMs).filter((sent) => sent.gateway !== gateway)
    await stack.hosts.join(['n2', 's2'], [...others, 'own'])
    await stack.hosts.join(['g2'], others)
    const joinedMs = performance.now()
    await untilCaughtUp(stack)
    await sleep(15_000)
    const back = requests.lastFailedS(joinedMs)
    return {
      measured: `gateway of the majority: last failure ${SECONDS(majority)}; of the minority: ${String(minority.filter(isDone).length)} of ${String(minority.length)} answered; last failure ${SECONDS(back)} after the split`,
      missed: [
        ...(majority > 10 ? [`the majority failed for ${SECONDS(majority)}`] : []),
        ...(back > 15 ? [`failures until ${SECONDS(back)} after the split`] : []),
      ],
    }
  },
}

/** Returns when reads and chunks failed for the last time after a moment, which may be so many seconds later. */
function boundedSeconds(
  requests: Requests,
  fromMs: number,
  most: { read?: number; chunk?: number },
): Finding {
  const last = { read: requests.lastFailedS(fromMs, 'read'), chunk: requests.lastFailedS(fromMs, 'chunk') }
  const late = (['read', 'chunk'] as const).filter((kind) => last[kind] > (most[kind] ?? Infinity))
  return {
    measured: `last failed read after ${SECONDS(last.read)}, chunk after ${SECONDS(last.chunk)}`,
    missed: late.map((kind) => `a ${kind} failed after ${SECONDS(last[kind])}`),
  }
}

/** Returns how many requests failed since a moment, which may be so many percent. */
export function boundedShare(requests: Requests, fromMs: number, mostPercent: number): Finding {
  const all = requests.since(fromMs)
  const failed = all.filter((sent) => !isDone(sent))
  const percent = (100 * failed.length) / all.length
  // A client that repeats a request once sees these alone.
  const again = failed.filter(({ attempt }) => attempt === 2)
  const kinds = [...new Set(failed.map(({ kind, status }) => `${kind} ${String(status)}`))].sort()
  return {
    measured:
      failed.length === 0
        ? 'no request failed'
        : `${String(failed.length)} of ${String(all.length)} requests failed (${[`${percent.toFixed(2)} %`, ...kinds].join(', ')}), ${String(again.length)} of them repeated once`,
    // Not a number if no request was sent.
    missed: percent <= mostPercent ? [] : [`${percent.toFixed(2)} % failed`],
  }
}
