import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { meters, count, counted, size } from '../ground/amounts.js'
import { chunkAddress, fileAddress } from '../ground/download-address.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { Button } from '../parts/button.js'
import { METHODS } from '../parts/map/position.js'
import { Card, Skeleton } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { beginning, daysOf, readTimeline, type Line, type SourceName } from './timeline.js'

const CHOICES = [
  { id: '', text: 'Everything' },
  { id: 'chunk', text: 'Chunks' },
  { id: 'file', text: 'Files' },
  { id: 'coredump', text: 'Coredumps' },
  { id: 'position', text: 'Positions' },
] as const
const ALL: readonly SourceName[] = ['chunk', 'file', 'position']

/** Entries that one page keeps. The command line lists all. */
const KEPT = 2_000

/** Everything that a device has sent, and where it was, newest first. */
export function TimelineCard({ serial }: { readonly serial: string }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [{ show }, change] = useUrlState(['show'])
  const chosen = ALL.concat('coredump').find((name) => name === show)
  const mayLocate = !refused('device-data:read')
  const sources = (chosen ? [chosen] : ALL).filter((name) => name !== 'position' || mayLocate)
  const timeline = useInfiniteQuery({
    queryKey: ['timeline', organization, project, serial, sources],
    initialPageParam: { place: beginning(sources), before: '' },
    queryFn: async ({ pageParam: { place, before }, signal }) => {
      const until = before || new Date().toISOString()
      const of = { organization, project, device_serial: serial }
      return { ...(await readTimeline(of, place, until, signal)), before: until }
    },
    getNextPageParam: ({ next, before }) => (next ? { place: next, before } : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = timeline.data?.pages.flatMap((page) => page.entries) ?? []
  const isFull = entries.length >= KEPT
  return (
    <Card title="Timeline" about="What it has sent, and where it was; times are in UTC, newest first.">
      <div className="row filters">
        <Select
          label="Show"
          value={chosen ?? ''}
          options={CHOICES.filter(({ id }) => id !== 'position' || mayLocate)}
          onChange={(id) => change({ show: id })}
        />
        {!mayLocate && <p className="quiet">Positions are shown to members of the project.</p>}
      </div>
      <Problem error={timeline.error} onRetry={() => void timeline.refetch()} />
      {timeline.isPending && <Skeleton lines={3} />}
      {timeline.data && entries.length === 0 && <p className="quiet">Nothing is stored.</p>}
      {daysOf(entries).map(({ day, lines }) => (
        <section key={day} className="stack-s" aria-label={day}>
          <h3>{day}</h3>
          <ol className="timeline">
            {lines.map((line) => (
              <li key={line.id}>
                <time dateTime={line.at} title={line.at}>
                  {line.at.slice(11, 19)}
                </time>
                <LineText line={line} serial={serial} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {timeline.hasNextPage && !isFull && (
        <div>
          <Button isPending={timeline.isFetchingNextPage} onPress={() => void timeline.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
      {timeline.hasNextPage && isFull && (
        <p className="quiet">
          The newest {count(entries.length)} are shown. List all with <code>bearing chunks list</code>,{' '}
          <code>bearing files list</code> and <code>bearing positions list</code>.
        </p>
      )}
    </Card>
  )
}

function LineText({ line, serial }: { readonly line: Line; readonly serial: string }) {
  const { organizationSlug, projectSlug, refused } = useScope()
  switch (line.kind) {
    case 'position': {
      const { lat, lon, uncertainty, confidence, fulfilledWith, fallback } = line.position
      return (
        <span className="row">
          <span className="badge good">position</span>
          <code>
            {lat.toFixed(5)}, {lon.toFixed(5)}
          </code>
          <small>
            ± {meters(uncertainty)} ({confidence} %), {fallback ? 'fallback, ' : ''}
            {METHODS[fulfilledWith].text}
          </small>
        </span>
      )
    }
    case 'file': {
      const { id, kind, name, size: bytes, software_version } = line.file
      const isCoredump = kind === 'coredump' || kind === 'elf_coredump'
      return (
        <span className="row">
          <span className={`badge ${isCoredump ? 'bad' : 'accent'}`}>{kind}</span>
          {refused('file:download') ? (
            (name ?? id)
          ) : (
            <a href={fileAddress(organizationSlug, projectSlug, id)} download>
              {name ?? id}
            </a>
          )}
          <small>
            {size(bytes)}
            {software_version !== null && `, software ${software_version}`}
          </small>
        </span>
      )
    }
    case 'chunks':
      return <Chunks line={line} serial={serial} />
  }
}

/** The chunks of a minute. */
function Chunks({
  line: { chunks },
  serial,
}: {
  readonly line: Extract<Line, { kind: 'chunks' }>
  readonly serial: string
}) {
  const { organizationSlug, projectSlug, refused } = useScope()
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.size, 0)
  const mayRead = !refused('device-data:read')
  const [only] = chunks
  const link = (id: string, text: string) =>
    mayRead ? (
      <a href={chunkAddress(organizationSlug, projectSlug, serial, id)} download={`chunk-${id}`}>
        {text}
      </a>
    ) : (
      text
    )
  if (chunks.length === 1 && only)
    return (
      <span className="row">
        <span className="badge">chunk</span>
        {link(only.id, size(only.size))}
      </span>
    )
  return (
    <details>
      <summary>
        <span className="badge">{counted(chunks.length, 'chunk')}</span> {size(bytes)}
      </summary>
      <span className="row">
        {chunks.map(({ id, at, size: length }, index) => (
          <Fragment key={id}>
            {index > 0 && ' · '}
            {link(id, `${at.slice(17, 23)} s: ${size(length)}`)}
          </Fragment>
        ))}
      </span>
    </details>
  )
}
