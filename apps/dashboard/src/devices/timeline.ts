import type { CallOutput } from '@bearing/client/call-types'
import { client } from '../ground/client.js'

type File = CallOutput<'listFiles'>['data'][number]
type Position = CallOutput<'listDevicePositions'>['data'][number]

/** Something that a device has sent, or that was determined about it. */
export type Entry = { readonly id: string; readonly at: string } & (
  | { readonly kind: 'chunk'; readonly size: number }
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'position'; readonly position: Position }
)

/** Sources of a timeline. `coredump`: of the files only these. */
export type SourceName = 'chunk' | 'file' | 'coredump' | 'position'

/** State of one source: entries that are read and not shown yet, newest first, and its next page. Undefined: there is none. */
interface Source {
  readonly waiting: readonly Entry[]
  readonly nextPage: number | undefined
}

/** State of all sources of a timeline. */
export type Place = Readonly<Partial<Record<SourceName, Source>>>

export interface TimelinePage {
  readonly entries: readonly Entry[]
  /** Start of the next page; undefined after the first thing that the device has sent. */
  readonly next: Place | undefined
}

export interface TimelineOf {
  readonly organization: string
  readonly project: string
  readonly device_serial: string
}

/** Entries that one request reads. */
const PER_REQUEST = 100
/** Stands for the last page, whose number is not known yet. */
const LAST = 0
/** Entries on a page of the timeline. */
const PER_PAGE = 50

/** Returns the place at which a timeline of these sources begins. */
export function beginning(sources: readonly SourceName[]): Place {
  return Object.fromEntries(
    sources.map((name) => [name, { waiting: [], nextPage: name === 'chunk' ? LAST : 1 }]),
  )
}

/**
 * Reads the next entries of all sources, newest first. Each source is read only as far as it is needed.
 *
 * @param before the moment at which the first page was read: positions that came later do not shift the pages
 */
export async function readTimeline(
  of: TimelineOf,
  from: Place,
  before: string,
  signal: AbortSignal,
): Promise<TimelinePage> {
  const entries: Entry[] = []
  let place = from
  while (entries.length < PER_PAGE) {
    place = await filled(of, place, before, signal)
    const newest = newestOf(place)
    if (!newest) return { entries, next: undefined }
    const [name, source] = newest
    const [entry, ...waiting] = source.waiting
    if (entry) entries.push(entry)
    place = { ...place, [name]: { ...source, waiting } }
  }
  return { entries, next: place }
}

/** Reads a page of every source of which nothing waits: only then is it known which entry is the newest. */
async function filled(of: TimelineOf, place: Place, before: string, signal: AbortSignal): Promise<Place> {
  const sources = await Promise.all(
    entriesOf(place).map(async ([name, source]): Promise<readonly [SourceName, Source]> => {
      let { waiting, nextPage } = source
      while (waiting.length === 0 && nextPage !== undefined)
        ({ waiting, nextPage } = await READERS[name](of, { page: nextPage, before, signal }))
      return [name, { waiting, nextPage }]
    }),
  )
  return Object.fromEntries(sources)
}

function newestOf(place: Place): readonly [SourceName, Source] | undefined {
  return entriesOf(place)
    .filter(([, { waiting }]) => waiting.length > 0)
    .reduce<readonly [SourceName, Source] | undefined>(
      (best, next) => (best && momentOf(best[1]) >= momentOf(next[1]) ? best : next),
      undefined,
    )
}

const momentOf = ({ waiting: [first] }: Source) => first?.at ?? ''

function entriesOf(place: Place): [SourceName, Source][] {
  return Object.entries(place) as [SourceName, Source][] // made by `beginning`
}

interface Reading {
  readonly page: number
  readonly before: string
  readonly signal: AbortSignal
}

type Reader = (of: TimelineOf, reading: Reading) => Promise<Source>

const READERS: Readonly<Record<SourceName, Reader>> = {
  /** Chunks are listed in the order in which they were sent, so the last page is read first. */
  chunk: async (of, { page, signal }) => {
    const read = (number: number) =>
      client.call('listChunks', { ...of, page: number, per_page: PER_REQUEST }, { signal })
    const first = await read(page === LAST ? 1 : page)
    const isFirst = page !== LAST || first.paging.page_count <= 1
    const { data, paging } = isFirst ? first : await read(first.paging.page_count)
    const waiting = data.map(({ id, received_at: at, size }): Entry => ({ kind: 'chunk', id, at, size }))
    return { waiting: waiting.reverse(), nextPage: paging.page > 1 ? paging.page - 1 : undefined }
  },
  file: async (of, { page, signal }) =>
    ofFiles(await client.call('listFiles', { ...of, page, per_page: PER_REQUEST }, { signal })),
  coredump: async (of, { page, signal }) =>
    ofFiles(await client.call('listCoredumps', { ...of, page, per_page: PER_REQUEST }, { signal })),
  position: async (of, { page, before, signal }) => {
    const input = { ...of, to: before, page, per_page: PER_REQUEST }
    const { data, paging } = await client.call('listDevicePositions', input, { signal })
    return {
      waiting: data.map((position, index) => ({
        kind: 'position',
        id: `${position.resolved_at}-${String(page)}-${String(index)}`,
        at: position.resolved_at,
        position,
      })),
      nextPage: page < paging.page_count ? page + 1 : undefined,
    }
  },
}

function ofFiles({ data, paging }: CallOutput<'listFiles'>): Source {
  return {
    waiting: data.map((file) => ({ kind: 'file', id: file.id, at: file.created_at, file })),
    nextPage: paging.page < paging.page_count ? paging.page + 1 : undefined,
  }
}

/** Several chunks of one minute are one line. */
export type Line = { readonly id: string; readonly at: string } & (
  | Extract<Entry, { kind: 'file' | 'position' }>
  | { readonly kind: 'chunks'; readonly chunks: readonly Extract<Entry, { kind: 'chunk' }>[] }
)

/** Returns the lines of each day, newest first. Entries that are there twice are shown once. */
export function daysOf(
  entries: readonly Entry[],
): readonly { readonly day: string; readonly lines: Line[] }[] {
  const days: { readonly day: string; readonly lines: Line[] }[] = []
  const seen = new Set<string>()
  for (const entry of entries) {
    if (seen.has(entry.id)) continue
    seen.add(entry.id)
    const day = entry.at.slice(0, 10)
    let last = days.at(-1)
    if (last?.day !== day) {
      last = { day, lines: [] }
      days.push(last)
    }
    const { lines } = last
    const before = lines.at(-1)
    if (entry.kind !== 'chunk') lines.push(entry)
    else if (before?.kind === 'chunks' && before.at.slice(0, 16) === entry.at.slice(0, 16))
      lines[lines.length - 1] = { ...before, chunks: [...before.chunks, entry] }
    else lines.push({ kind: 'chunks', id: entry.id, at: entry.at, chunks: [entry] })
  }
  return days
}
