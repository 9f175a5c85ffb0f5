import { refusal, visibleProjects } from '@bearing/access/authorize'
import { medianOf, sumOf } from '@bearing/contracts/counts/histogram'
import { listLookupHours } from '@bearing/contracts/location/lookups/lookup-usage'
import {
  MAX_COUNTED_DEVICES,
  MAX_OVERVIEW_PROJECTS,
  type Overview,
} from '@bearing/contracts/management/tenancy/overview'
import type { Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { dayOf, pointsOf, type Period } from '@bearing/contracts/counts/usage'
import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { Database } from '../../ground/database.js'

type Shown = z.output<typeof Overview>
type Lookups = Output<typeof listLookupHours>['points']

interface Project {
  readonly id: string
  readonly slug: string
  readonly name: string
}

/** Projects of an overview, and its start. */
interface Scope {
  readonly organizationId: string
  readonly projectIds: readonly string[]
  readonly from: string
  readonly now: Date
}

interface Devices {
  readonly counted: number
  readonly new: number
  readonly seen: number
  readonly projects: Readonly<Record<string, number>> | null
  readonly versions: Shown['software_versions'] | null
}

interface PointRow {
  readonly at: Date
  readonly devices_seen: number
  readonly chunks: number
  readonly chunk_bytes: number
  readonly files: number
  readonly file_bytes: number
}

const NOTHING = { devices_seen: 0, chunks: 0, chunk_bytes: 0, files: 0, file_bytes: 0 }

/** Reads what an overview shows. */
@Injectable()
export class OverviewReader {
  constructor(
    private readonly database: Database,
    private readonly services: NatsClient,
    private readonly clock: Clock,
  ) {}

  /** Returns the projects whose devices a caller may list. */
  async projectsOf(by: Principal, organizationId: string): Promise<readonly Project[]> {
    const visible = visibleProjects(by, organizationId)
    const projects = await this.database.project.findMany({
      where: { organizationId, deletedAt: null, ...(visible !== 'all' && { id: { in: [...visible] } }) },
      select: { id: true, slug: true, name: true },
      orderBy: { slug: 'asc' },
    })
    return projects.filter(({ id }) => !isRefused(by, 'device:read', organizationId, id))
  }

  /** Each service has its own counts. If one does not respond, there is no answer: a missing count would look like none. */
  async read(
    by: Principal,
    organizationId: string,
    projects: readonly Project[],
    period: Period,
  ): Promise<Shown> {
    const now = this.clock.now()
    const { step, at } = pointsOf(period, now)
    const projectIds = projects.map(({ id }) => id)
    const scope: Scope = { organizationId, projectIds, from: at[0], now }
    const [devices, rows, today, failing, latest, found] = await Promise.all([
      this.devices(scope),
      this.points(scope, step),
      this.seenToday(scope),
      this.failingWebhooks(scope),
      this.latestData(scope),
      this.services.call(listLookupHours, {
        organization_id: organizationId,
        project_ids: projectIds,
        from: at[0],
        step,
      }),
    ])
    const byPoint = Map.groupBy(found.points, (point) => point.at)
    const byProject = Map.groupBy(found.points, ({ project_id }) => project_id)
    return {
      period,
      step,
      points: at.map((start) => {
        const lookups = byPoint.get(start) ?? []
        return { at: start, ...shownPoint(rows.get(start)), ...sumLookups(lookups) }
      }),
      devices: {
        count: Math.min(devices.counted, MAX_COUNTED_DEVICES),
        is_minimum: devices.counted > MAX_COUNTED_DEVICES,
        new: devices.new,
        seen: devices.seen,
      },
      ...sumLookups(found.points),
      software_versions: devices.versions ?? [],
      projects: projects.slice(0, MAX_OVERVIEW_PROJECTS).map((project) => ({
        ...project,
        devices: devices.projects?.[project.id] ?? 0,
        devices_today: today.get(project.id) ?? 0,
        lookups: at.map((start) =>
          totalOf((byProject.get(project.id) ?? []).filter((point) => point.at === start)),
        ),
        failing_webhooks: isRefused(by, 'webhook:read', organizationId, project.id)
          ? null
          : (failing.get(project.id) ?? 0),
      })),
      latest_data: latest,
      has_access_points: found.has_access_points,
      has_positions: found.has_positions,
    }
  }

  private async devices({ projectIds, from }: Scope): Promise<Devices> {
    const [row] = await this.database.$queryRaw<[Devices]>`
      WITH counted AS MATERIALIZED (
        SELECT project_id, software_version, first_seen_at, last_seen_at FROM devices
        WHERE project_id = ANY (${[...projectIds]}::uuid[]) LIMIT ${MAX_COUNTED_DEVICES + 1}::integer
      )
      SELECT count(*)::integer AS counted, count(*) FILTER (WHERE first_seen_at >= ${from}::timestamptz)::integer AS new,
             count(*) FILTER (WHERE last_seen_at >= ${from}::timestamptz)::integer AS seen,
             (SELECT json_object_agg(project_id, devices)
              FROM (SELECT project_id, count(*) AS devices FROM counted GROUP BY 1) each) AS projects,
             (SELECT json_agg(version)
              FROM (SELECT software_version, count(*) AS devices FROM counted GROUP BY 1
                    ORDER BY 2 DESC, 1 LIMIT 10) version) AS versions
      FROM counted`
    return row
  }

  private async points(
    { projectIds, from }: Scope,
    step: Shown['step'],
  ): Promise<ReadonlyMap<string, PointRow>> {
    const rows = await this.database.$queryRaw<PointRow[]>`
      SELECT date_trunc(${step}::text, hour, 'UTC') AS at,
             sum(CASE WHEN ${step}::text = 'day' THEN devices_of_day ELSE devices END)::float8 AS devices_seen,
             sum(chunks)::float8 AS chunks, sum(chunk_bytes)::float8 AS chunk_bytes, sum(files)::float8 AS files,
             sum(file_bytes)::float8 AS file_bytes
      FROM project_hours
      WHERE project_id = ANY (${[...projectIds]}::uuid[]) AND hour >= ${from}::timestamptz
      GROUP BY 1`
    return new Map(rows.map((row) => [row.at.toISOString(), row]))
  }

  private async seenToday({ projectIds, now }: Scope): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.$queryRaw<{ project_id: string; devices: number }[]>`
      SELECT project_id, sum(devices_of_day)::float8 AS devices FROM project_hours
      WHERE project_id = ANY (${[...projectIds]}::uuid[]) AND hour >= ${`${dayOf(now)}T00:00:00Z`}::timestamptz
      GROUP BY 1`
    return new Map(rows.map(({ project_id, devices }) => [project_id, devices]))
  }

  private async failingWebhooks({ projectIds }: Scope): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.webhook.groupBy({
      by: ['projectId'],
      where: {
        projectId: { in: [...projectIds] },
        OR: [{ pausedReason: null, failingSince: { not: null } }, { pausedReason: { not: 'by_user' } }],
      },
      _count: true,
    })
    return new Map(rows.map(({ projectId, _count }) => [projectId, _count]))
  }

  /** One read of the index of each project. */
  private async latestData({ projectIds }: Scope): Promise<Shown['latest_data']> {
    const [row] = await this.database.$queryRaw<{ project_id: string; device_serial: string; at: Date }[]>`
      SELECT last.* FROM unnest(${[...projectIds]}::uuid[]) project (id), LATERAL (
        SELECT project_id, serial AS device_serial, last_seen_at AS at FROM devices
        WHERE project_id = project.id AND last_seen_minute > 0
        ORDER BY last_seen_minute DESC LIMIT 1
      ) last
      ORDER BY at DESC LIMIT 1`
    return row ? { ...row, at: row.at.toISOString() } : null
  }
}

function isRefused(
  by: Principal,
  permission: 'device:read' | 'webhook:read',
  organizationId: string,
  projectId: string,
) {
  return refusal(by, permission, { organization_id: organizationId, project_id: projectId }) !== undefined
}

function shownPoint({
  devices_seen,
  chunks,
  chunk_bytes,
  files,
  file_bytes,
}: Omit<PointRow, 'at'> = NOTHING) {
  return {
    devices_seen,
    chunks: { count: chunks, bytes: chunk_bytes },
    files: { count: files, bytes: file_bytes },
  }
}

function sumLookups(points: Lookups): Pick<Shown, 'lookups' | 'median_radius'> {
  const lookups = { found: 0, fallback: 0, not_found: 0, refused: 0 }
  for (const { found, fallback, not_found, refused } of points) {
    lookups.found += found
    lookups.fallback += fallback
    lookups.not_found += not_found
    lookups.refused += refused
  }
  return { lookups, median_radius: medianOf(sumOf(points.map(({ radii }) => radii))) }
}

function totalOf(points: Lookups): number {
  return points.reduce(
    (sum, { found, fallback, not_found, refused }) => sum + found + fallback + not_found + refused,
    0,
  )
}
