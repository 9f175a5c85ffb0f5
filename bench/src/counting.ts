import { LookupCounters } from '@bearing/service/work/lookup-counters'

const PROJECTS = 1_000
const LOOKUPS = 2_000_000

/** Returns what counting a look-up costs in each round, in nanoseconds: of a thousand projects, with a radius. */
export function measureCounting(rounds: number): number[] {
  const scopes = Array.from({ length: PROJECTS }, (_, index) => ({
    organization_id: `organization-${String(index % 100)}`,
    project_id: `project-${String(index)}`,
  }))
  const counters = new LookupCounters(PROJECTS)
  const countAll = () => {
    for (let index = 0; index < LOOKUPS; index++) {
      const scope = scopes[(index * 7_919) % PROJECTS]
      if (scope) counters.add(scope, 'found', 5 + (index % 90), Date.now())
    }
  }
  countAll()
  return Array.from({ length: rounds }, () => {
    const startedMs = performance.now()
    countAll()
    return ((performance.now() - startedMs) * 1e6) / LOOKUPS
  })
}
