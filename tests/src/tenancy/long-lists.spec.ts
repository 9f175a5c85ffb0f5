import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

const PROJECTS = 10_000
const PATIENCE = { withinMs: 60_000 }

describe('long lists', () => {
  const own = forSuite(() => newOrganization())

  beforeAll(async () => {
    await using client = await connectTo(testStack().adminDatabaseUrl)
    // Written past the services, which would take minutes.
    await client.query(
      `INSERT INTO management.projects (id, organization_id, slug, name, created_at, created_by)
       SELECT gen_random_uuid(), $1, 'long-list-' || n, repeat('x', 128), now(), $2 FROM generate_series(1, $3::int - 1) AS n`,
      [own.id, own.admin.id, PROJECTS],
    )
  })

  /** Again where a busy machine has taken longer than anybody waits. */
  const get = (path: string) =>
    eventually(async () => {
      const { gatewayUrls } = testStack()
      const reply = await send(gatewayUrls[0] ?? '', 'GET', path, { credential: own.token.credential })
      expect(reply.status).toBe(200)
      return reply
    }, PATIENCE)

  it('clients that never turn the page get all 10,000 items in one page', async () => {
    const path = `/api/v0/organizations/${own.slug}/projects?per_page=10000`
    const reply = await get(path)
    expect(reply.json?.['paging']).toEqual({
      page: 1,
      per_page: PROJECTS,
      page_count: 1,
      item_count: PROJECTS,
      total_count: PROJECTS,
    })
    expect(new Set((reply.json?.data as { slug: string }[]).map(({ slug }) => slug)).size).toBe(PROJECTS)
  })

  it('pages together are the whole list, each item once', async () => {
    const slugs = new Set<string>()
    for (let page = 1; page <= 4; page++) {
      const path = `/api/v0/organizations/${own.slug}/projects?per_page=3000&page=${String(page)}`
      const reply = await get(path)
      expect(reply.json?.['paging']).toMatchObject({
        page,
        page_count: 4,
        item_count: page === 4 ? 1_000 : 3_000,
      })
      for (const { slug } of reply.json?.data as { slug: string }[]) slugs.add(slug)
    }
    expect(slugs.size).toBe(PROJECTS)
  })
})
