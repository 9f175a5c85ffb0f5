import { refusal } from '@bearing/access/authorize'
import { DAY_MS } from '@bearing/contracts/durations'
import { MAX_OVERVIEW_PROJECTS } from '@bearing/contracts/management/tenancy/overview'
import type { Permission } from '@bearing/contracts/permission'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { projectsOf } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import {
  deletionNeeds,
  linkNeeds,
  refusalNeeds,
  tokenNeeds,
  usageNeeds,
  webhookNeeds,
  type Need,
} from './needs.js'
import { overviewOf } from './overview.js'

/** The most projects whose failing webhooks are read: one request each. */
const MAX_PROJECTS = 10
const TOKENS_READ = 1_000
const SHOWN = 10
const STALE_MS = 5 * 60_000
/** The page reads the same at the same time. */
const SHARED_MS = 1_000

export const activeTokensOf = (organization: string) =>
  queryOptions({
    queryKey: ['tokens', organization, 'active'],
    queryFn: async ({ signal }) => {
      const input = { organization, state: 'active', per_page: TOKENS_READ } as const
      return (await client.call('listOrganizationTokens', input, { signal })).data
    },
  })

/** A part of what is looked at: one request. */
interface Read {
  readonly name: string
  readonly read: (organization: string, nowMs: number, signal: AbortSignal) => Promise<Need[]>
}

const READS: readonly (Read & { readonly permission: Permission })[] = [
  {
    name: 'tokens',
    permission: 'organization-token:read',
    read: async (organization, nowMs) =>
      tokenNeeds(await queryClient.query({ ...activeTokensOf(organization), staleTime: SHARED_MS }), nowMs),
  },
  {
    name: 'webhooks',
    permission: 'project:list',
    read: async (organization, _, signal) => {
      const { projects } = await queryClient.query({
        ...overviewOf(organization, '24h'),
        staleTime: SHARED_MS,
      })
      const failing = projects.filter(({ failing_webhooks }) => (failing_webhooks ?? 0) > 0)
      const needs = failing.slice(0, MAX_PROJECTS).map(async (project) => {
        const input = { organization, project: project.slug, per_page: SHOWN }
        return webhookNeeds((await client.call('listWebhooks', input, { signal })).data, project)
      })
      return (await Promise.all(needs)).flat()
    },
  },
  {
    name: 'links',
    permission: 'partner-link:manage',
    read: async (organization, _, signal) =>
      linkNeeds((await client.call('listPartnerLinks', { organization, per_page: SHOWN }, { signal })).data),
  },
  {
    name: 'deletions',
    permission: 'project:delete',
    read: async (organization, nowMs, signal) =>
      deletionNeeds(
        (await client.call('listDeletedProjects', { organization, per_page: SHOWN }, { signal })).data,
        nowMs,
      ),
  },
  {
    name: 'usage',
    permission: 'organization-usage:read',
    read: async (organization, _, signal) =>
      usageNeeds(await client.call('showOrganizationUsage', { organization, days: 1 }, { signal })),
  },
  {
    name: 'refusals',
    permission: 'audit-log:read',
    read: async (organization, nowMs, signal) => {
      const from = new Date(nowMs - DAY_MS).toISOString().slice(0, 10)
      const input = { organization, action: 'access.refused', from: `${from}T00:00:00Z`, per_page: 1 }
      const { paging } = await client.call('listAuditEntries', input, { signal })
      return refusalNeeds(paging.total_count, paging.total_is_minimum === true, from)
    },
  },
]

export interface Attention {
  /** Worst first. */
  readonly needs: readonly Need[]
  readonly isPending: boolean
  /** True if something was not looked at: it may not be read, or is too much. */
  readonly isPartial: boolean
  /** The error of a part that could not be read; undefined: all of it was read. */
  readonly error: unknown
  readonly refetch: () => void
}

/** Returns what needs attention in the organization of the URL, and reads only what the user may read. */
export function useAttention(isEnabled = true): Attention {
  const { organizationSlug: organization, organization: scope, user, refused } = useScope()
  const projects = useQuery({ ...projectsOf(organization), enabled: organization !== '' }).data ?? []
  const watched = projects.filter(
    ({ id }) => user && !refusal(user, 'webhook:read', { organization_id: scope?.id, project_id: id }),
  )
  const isOn = isEnabled && scope !== undefined
  const [now] = useState(() => Date.now())
  const allowed = READS.filter(({ permission }) => !refused(permission))
  const results = useQueries({
    queries: allowed.map(({ name, read }) => ({
      queryKey: ['attention', organization, name],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(organization, now, signal),
      enabled: isOn,
      staleTime: STALE_MS,
      refetchOnWindowFocus: false,
    })),
  })
  const needs = results.flatMap(({ data }) => data ?? [])
  return {
    needs: [...needs.filter(({ look }) => look === 'bad'), ...needs.filter(({ look }) => look !== 'bad')],
    isPartial:
      allowed.length < READS.length ||
      watched.length < projects.length ||
      projects.length > MAX_OVERVIEW_PROJECTS,
    isPending: !isOn || results.some(({ isLoading }) => isLoading),
    error: results.find(({ error }) => error)?.error,
    refetch: () => {
      for (const { error, refetch } of results) if (error) void refetch()
    },
  }
}
