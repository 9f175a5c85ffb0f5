import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryHash } from '@bearing/access/audit-chain'
import { VERSION } from '@bearing/contracts/version'
import { verifyAuditChain, type AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { runBearing } from '../tools/bearing.js'
import { headersOf, send } from '../tools/http.js'

const patience = { withinMs: 30_000, everyMs: 100 }
const LONG = 12_000

describe('the chain of an audit log', () => {
  let stack: Stack
  let own: TestOrganization
  let admin: pg.Client
  let directory: string

  beforeAll(async () => {
    stack = await startStack({
      constants: { gateway: { REPORT_INTERVAL_MS: 1_000 } },
      environment: { gateway: { NODE_NAME: 'n1' } },
    })
    admin = new pg.Client(stack.adminDatabaseUrl)
    await admin.connect()
    own = await newOrganization(stack)
    await settled(own)
    directory = await mkdtemp(join(tmpdir(), 'bearing-audit-'))
  })

  afterAll(async () => {
    await admin.end()
    await stack.stop()
    await rm(directory, { recursive: true })
  })

  const verify = async (chain: string | null) =>
    callAsOperator(verifyAuditChain, { chain, after: { length: 0, hash: null } }, stack)
  const pathOf = (organization: TestOrganization, rest = '') =>
    `/api/v0/organizations/${organization.slug}/audit_log${rest}`
  const exported = async (organization: TestOrganization, query = '') => {
    const reply = await send(stack.gatewayUrls[0] ?? '', 'GET', pathOf(organization, `/export${query}`), {
      credential: organization.admin.credential,
    })
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson')
    return reply.text
  }
  const listed = async (organization: TestOrganization, query = '') => {
    const { json } = await send(stack.gatewayUrls[0] ?? '', 'GET', pathOf(organization, query), {
      credential: organization.admin.credential,
    })
    return json?.data as (AuditEntry & { actor_email: string | null })[]
  }
  const operator = (...args: string[]) =>
    runBearing(args, {
      BEARING_NATS_URL: stack.natsUrl,
      BEARING_NATS_NKEY_SEED: stack.nkeySeeds.operator,
    })

  /** Waits until what management has done for a new organization is there. */
  async function settled(organization: TestOrganization): Promise<void> {
    await eventually(async () => {
      expect(await listed(organization, '?action=project.created')).toHaveLength(1)
      expect(await listed(organization, '?action=organization.created')).toHaveLength(1)
    }, patience)
  }

  /** Changes rows of a chain behind everybody's back, looks, and puts them back. */
  async function tampered({ id }: TestOrganization, statement: string) {
    await admin.query(`CREATE TEMP TABLE kept AS SELECT * FROM identity.audit_log WHERE chain = '${id}'`)
    await admin.query(statement.replaceAll('$org', `'${id}'`))
    const { fault } = await verify(id)
    await admin.query(`DELETE FROM identity.audit_log WHERE organization_id = '${id}'`)
    await admin.query('INSERT INTO identity.audit_log SELECT * FROM kept')
    await admin.query('DROP TABLE kept')
    return fault
  }

  it('shows a change of any column of a row', async () => {
    const changes: Readonly<Record<string, string>> = {
      id: 'gen_random_uuid()',
      actor_kind: "'service'",
      actor_credential_id: 'gen_random_uuid()',
      actor_user_id: 'gen_random_uuid()',
      actor_service: "'somebody'",
      action: "'nothing.happened'",
      target: "'nobody:0'",
      details: `details || '{"role":"reader"}'`,
      address: "'192.0.2.7'",
      request_id: "'another'",
      at: "at + interval '1 ms'",
      service: "'location'",
      previous_hash: 'sha256(previous_hash)',
      hash: 'sha256(hash)',
    }
    for (const [column, value] of Object.entries(changes))
      expect({
        column,
        fault: await tampered(
          own,
          `UPDATE identity.audit_log SET ${column} = ${value} WHERE chain = $org AND sequence = 3`,
        ),
      }).toEqual({ column, fault: { sequence: 3, id: expect.any(String), fault: 'changed' } })
    const { rows } = await admin.query<{ column_name: string }>(
      "SELECT column_name FROM information_schema.columns WHERE table_schema = 'identity' AND table_name = 'audit_log'",
    )
    // The columns of the row's place are checked by the database itself, or below.
    const placed = ['organization_id', 'chain', 'sequence', 'format']
    // The order of all chains together, for sinks of operators. A row that one skips is missing between its sequences there.
    const unchained = ['position']
    expect(rows.map(({ column_name }) => column_name).sort()).toEqual(
      [...Object.keys(changes), ...placed, ...unchained].sort(),
    )
    expect(await verify(own.id)).toMatchObject({ done: true, fault: null })
  })

  it('shows rows that were removed, at the end too, and rows in another order', async () => {
    const { after } = await verify(own.id)
    const rows = 'identity.audit_log WHERE chain = $org AND sequence'
    expect(await tampered(own, `DELETE FROM ${rows} = 2`)).toMatchObject({ sequence: 2, fault: 'missing' })
    expect(await tampered(own, `DELETE FROM ${rows} > 3`)).toMatchObject({ sequence: 4, fault: 'missing' })
    expect(await tampered(own, `DELETE FROM ${rows} > 0`)).toMatchObject({ sequence: 1, fault: 'missing' })
    const swapped = `
      UPDATE identity.audit_log SET sequence = 1000 + sequence WHERE chain = $org AND sequence IN (2, 3);
      UPDATE identity.audit_log SET sequence = 1005 - sequence WHERE chain = $org AND sequence > 1000`
    expect(await tampered(own, swapped)).toMatchObject({ sequence: 2, fault: 'changed' })
    const beyond = `
      INSERT INTO identity.audit_log
      SELECT (jsonb_populate_record(log, jsonb_build_object('id', gen_random_uuid(), 'sequence', ${String(after.length + 1)}))).*
      FROM identity.audit_log log WHERE chain = $org AND sequence = 3`
    expect(await tampered(own, beyond)).toMatchObject({ sequence: after.length + 1, fault: 'changed' })
    expect(await verify(own.id)).toMatchObject({ after, fault: null })
  })

  it('is unbroken, although several gateways and processes write concurrently', async () => {
    const other = await newOrganization(stack)
    await settled(other)
    await stack.addReplica('identity')
    const length = async () => (await verify(other.id)).after.length
    const before = await length()
    const tokens = `/api/v0/organizations/${other.slug}/auth_tokens`
    // Eight concurrent writers: with many more, the last would wait for the chain until its deadline.
    const work = Array.from({ length: 8 }, async (_, number) => {
      for (let time = 0; time < 5; time++) {
        const { status } = await send(stack.gatewayUrls[number % 2] ?? '', 'POST', tokens, {
          credential: other.admin.credential,
          body: { description: `token ${String(number)}` },
        })
        expect(status).toBe(201)
      }
    })
    await Promise.all(work)
    expect(await verify(other.id)).toMatchObject({ done: true, fault: null })
    expect(await length()).toBe(before + 40)
    await stack.part('identity-2').stop()
  })

  it('has what was done elsewhere while identity was away, as soon as it is back', async () => {
    const begin = (digest: string) =>
      send(
        stack.gatewayUrls[0] ?? '',
        'POST',
        `/v1/organizations/${own.slug}/location/access_points/imports`,
        {
          credential: own.token.credential,
          body: { content: 'positions', digest },
          headers: { 'x-request-id': `import-${digest.slice(0, 1)}` },
        },
      )
    expect((await begin('a'.repeat(64))).status).toBe(201)
    await stack.part('identity').kill()
    expect((await begin('b'.repeat(64))).status).toBe(201)
    await stack.part('identity').start()
    await eventually(async () => {
      expect(await listed(own, '?action=access_point_import.begun')).toMatchObject([
        { service: 'location', request_id: 'import-b', details: { content: 'positions' } },
        { service: 'location', request_id: 'import-a', actor_credential_id: own.token.id },
      ])
      expect(await listed(own, '?action=project')).toMatchObject([
        { service: 'management', action: 'project.created', actor_email: own.admin.email },
      ])
    }, patience)
    expect(await verify(own.id)).toMatchObject({ fault: null })
  })

  it('has callers that a rule rejected, with counts, and claims that were issued to services', async () => {
    const bound = await own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description: 'bound',
      allowed_addresses: ['192.0.2.1'],
    })
    const credential = { kind: 'organization_token', token: bound.token } as const
    for (let time = 0; time < 3; time++)
      expect((await send(stack.gatewayUrls[0] ?? '', 'GET', '/auth/me', { credential })).status).toBe(403)
    const strict = await newOrganization(stack)
    await admin.query(
      'UPDATE identity.organization_rules SET sso_required = true WHERE organization_id = $1',
      [strict.id],
    )
    const member = await newMember(strict, 'member', [], stack)
    const list = `/api/v0/organizations/${strict.slug}/projects`
    const refused = await send(stack.gatewayUrls[1] ?? '', 'GET', list, { credential: member.credential })
    expect(refused.json).toMatchObject({ code: 'sso_required' })
    await eventually(async () => {
      const rows = await listed(own, `?action=access.refused&actor=${bound.id}`)
      expect(rows).toMatchObject(
        rows.map(() => ({
          service: 'gateway',
          address: '127.0.0.1',
          details: { rule: 'address_not_allowed' },
        })),
      )
      expect(rows.reduce((sum, { details }) => sum + Number(details['count']), 0)).toBe(3)
      const { rows: strictRows } = await admin.query(
        "SELECT * FROM identity.audit_log WHERE organization_id = $1 AND action = 'access.refused'",
        [strict.id],
      )
      expect(strictRows).toMatchObject([
        { actor_user_id: member.id, details: { rule: 'sso_required', count: 1 } },
      ])
    }, patience)
    const { rows } = await admin.query(
      "SELECT * FROM identity.audit_log WHERE action = 'service_claims.issued'",
    )
    expect(rows).toContainEqual(
      expect.objectContaining({
        actor_service: 'operator',
        target: 'service:operator',
        organization_id: null,
      }),
    )
    expect(await verify(null)).toMatchObject({ fault: null })
  })

  it('is found by who, what, when and in which request', async () => {
    const all = await listed(own)
    expect([...all].sort((a, b) => b.at.localeCompare(a.at))).toEqual(all)
    const created = all.find(({ action }) => action === 'project_key.created')
    expect(created).toBeDefined()
    const { at = '', target = '', request_id = '', id } = created ?? {}
    const ids = async (query: string) => (await listed(own, query)).map((entry) => entry.id)
    expect(await ids(`?target=${target}`)).toEqual([id])
    expect(await ids(`?request_id=${request_id}&action=project_key`)).toEqual([id])
    expect(await ids(`?from=${at}&action=project_key.created`)).toEqual([id])
    expect(await ids(`?to=${at}&action=project_key.created`)).toEqual([])
    expect(await ids('?action=project_k')).toEqual([])
    for (const entry of await listed(own, `?actor=${own.admin.id}`))
      expect(entry).toMatchObject({ actor_user_id: own.admin.id, organization_id: own.id })
    expect(await ids(`?actor=${own.token.id}`)).toHaveLength(2)
    const wrong = await send(stack.gatewayUrls[0] ?? '', 'GET', pathOf(own, '?action=%25&from=yesterday'), {
      credential: own.admin.credential,
    })
    expect(wrong.json).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/action' }, { pointer: '/from' }],
    })
  })

  it('holds no secret', async () => {
    const made = await newToken(own, stack)
    await own.admin.client.call('rotateOrganizationToken', {
      organization: own.slug,
      organization_token_id: made.id,
    })
    const { rows } = await admin.query<{ line: string }>(
      'SELECT row_to_json(a)::text AS line FROM identity.audit_log a',
    )
    const text = rows.map(({ line }) => line).join('\n')
    for (const secret of [own.token.token, made.token, own.admin.apiKey, own.admin.password])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/brg[a-z]_[0-9A-Za-z]{71}|\$argon2/)
  })

  describe('of many rows', () => {
    const long = forSuite(() => newOrganization(stack))

    beforeAll(async () => {
      await settled(long)
      await lengthen(long, LONG)
    })

    /** Appends rows as identity would, which would take it minutes. */
    async function lengthen({ id, admin: { id: userId } }: TestOrganization, length: number): Promise<void> {
      const { after } = await verify(id)
      // More than all buffers on the way of an export together take, so that it can be cut in the middle.
      const filler = 'x'.repeat(1_000)
      let previous = after.hash ?? ''
      const rows: object[] = []
      for (let sequence = after.length + 1; sequence <= length; sequence++) {
        const entry = {
          ...{ id: crypto.randomUUID(), organization_id: id, at: new Date(1_800_000_000_000).toISOString() },
          ...{ actor_kind: 'user', actor_credential_id: null, actor_user_id: userId, actor_service: null },
          ...{ action: 'project_key.cycled', target: 'project_key:x', details: { n: sequence, filler } },
          ...{ address: null, request_id: 'long', format: 'bearing-audit-v1', sequence, service: 'identity' },
          previous_hash: previous,
        }
        const hash = await entryHash(entry)
        rows.push({ ...entry, format: 1, chain: id, previous_hash: `\\x${previous}`, hash: `\\x${hash}` })
        previous = hash
      }
      await admin.query(
        'INSERT INTO identity.audit_log SELECT (jsonb_populate_record(NULL::identity.audit_log, value)).* FROM jsonb_array_elements($1)',
        [JSON.stringify(rows)],
      )
      await admin.query(
        `UPDATE identity.audit_chains SET length = ${String(length)}, head_hash = '\\x${previous}' WHERE id = '${id}'`,
      )
    }

    it('is exported whole by the command line, verifies there, and shows what was changed', async () => {
      const file = join(directory, 'audit.ndjson')
      const asAdmin = {
        BEARING_URL: stack.gatewayUrls[0],
        BEARING_ORG: long.slug,
        BEARING_EMAIL: long.admin.email,
        BEARING_PASSWORD: long.admin.apiKey,
      }
      // The export is recorded, and in it.
      expect(await runBearing(['audit-log', 'export', '--output', file], asAdmin)).toMatchObject({ code: 0 })
      const verified = await runBearing(['--json', 'audit-log', 'verify', file], {})
      expect(JSON.parse(verified.stdout)).toMatchObject({ length: LONG + 1, unchained: 0, fault: null })
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
      await writeFile(file, lines.toSpliced(700, 1).join('\n'))
      const broken = await runBearing(['--json', 'audit-log', 'verify', file], {})
      expect(broken.code).toBe(1)
      expect(JSON.parse(broken.stdout)).toMatchObject({ fault: { sequence: 701, fault: 'missing' } })
      const first = await runBearing(['--json', 'audit-log', 'list', '--limit', '2'], asAdmin)
      expect(JSON.parse(first.stdout)).toHaveLength(2)
    })

    it('is exported by filter too, and of one organization alone', async () => {
      const lines = (await exported(long, '?action=organization')).trimEnd().split('\n')
      expect(lines.map((line) => (JSON.parse(line) as AuditEntry).action).sort()).toEqual([
        'organization.created',
        'organization.founded',
      ])
      expect(await exported(long)).not.toContain(own.id)
      expect(await exported(long, '?request_id=nothing')).toBe('')
    })

    it('an export that fails in the middle ends without an end', async () => {
      const response = await fetch(`${stack.gatewayUrls[0] ?? ''}${pathOf(long, '/export')}`, {
        headers: headersOf(long.admin.credential),
      })
      const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined // bytes
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
      await stack.part('identity').kill()
      const rest = async () => {
        while (!(await reader?.read())?.done);
      }
      await expect(rest()).rejects.toThrow('terminated')
      await stack.part('identity').start()
    })

    it('is followed by the doctor, which also finds what only an earlier report can show', async () => {
      const report = join(directory, 'doctor.json')
      const healthy = await operator('--json', 'admin', 'doctor')
      expect(healthy).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(healthy.stdout)).toMatchObject({
        ok: true,
        checks: [
          {
            name: 'processes',
            ok: true,
            findings: expect.arrayContaining(
              ['gateway', 'identity', 'management', 'location'].map((name) =>
                expect.objectContaining({ data: expect.objectContaining({ name, version: VERSION }) }),
              ),
            ),
          },
          { name: 'spread', ok: true, findings: [{ subject: 'gateway', detail: '2 on n1' }] },
          { name: 'migrations', ok: true },
          { name: 'queues', ok: true },
          { name: 'limits', ok: true },
          { name: 'certificates', ok: true, findings: [] },
          { name: 'audit-chains', ok: true },
          { name: 'peppers', ok: true, findings: [{ subject: 'pepper 1', data: { current: true } }] },
        ],
      })
      await writeFile(report, healthy.stdout)
      expect(await operator('admin', 'doctor', '--compare', report)).toMatchObject({ code: 0 })
      // Nothing writes rows outside of a chain any more: who has put some there is found, in an organization or in none.
      for (const organization of [`'${long.id}'::uuid`, 'NULL::uuid']) {
        const { rows } = await admin.query<{ id: string }>(
          `INSERT INTO identity.audit_log
           SELECT (jsonb_populate_record(log, jsonb_build_object('id', gen_random_uuid(), 'organization_id', ${organization},
             'chain', NULL, 'sequence', NULL, 'previous_hash', NULL, 'hash', NULL, 'format', NULL))).*
           FROM identity.audit_log log WHERE chain = $1 AND sequence = 3 RETURNING id`,
          [long.id],
        )
        const forged = await operator('admin', 'doctor', '--compare', report)
        expect(forged).toMatchObject({ code: 1 })
        expect(forged.stdout).toMatch(/BROKEN +1 row outside of the chain since the earlier report/)
        await admin.query('DELETE FROM identity.audit_log WHERE id = $1', [rows[0]?.id])
      }
      // An administrator deletes the last rows, and the length of the chain.
      await admin.query('DELETE FROM identity.audit_log WHERE chain = $1 AND sequence > 10000', [long.id])
      await admin.query(
        `UPDATE identity.audit_chains SET length = 10000, head_hash =
         (SELECT hash FROM identity.audit_log WHERE chain = $1 AND sequence = 10000) WHERE id = $1`,
        [long.id],
      )
      expect(await operator('admin', 'doctor')).toMatchObject({ code: 0 })
      const compared = await operator('admin', 'doctor', '--compare', report)
      expect(compared).toMatchObject({ code: 1 })
      expect(compared.stdout).toMatch(/BROKEN +row 10,001 is missing/)
      await admin.query(
        "UPDATE identity.audit_log SET action = 'nothing' WHERE chain = $1 AND sequence = 9",
        [long.id],
      )
      const broken = await operator('admin', 'doctor')
      expect(broken).toMatchObject({ code: 1 })
      expect(broken.stdout).toMatch(/BROKEN +row 9 \([0-9a-f-]{36}\) was changed/)
    })
  })
})
