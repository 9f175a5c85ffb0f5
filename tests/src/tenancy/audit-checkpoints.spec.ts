import { connectTo } from '@bearing/testing/connect-to'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { entryHash } from '@bearing/access/audit-chain'
import { openCheckpoint, verificationKey } from '@bearing/access/checkpoint'
import { verifyAuditChain, type AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, newToken, type TestOrganization } from '@bearing/testing/factories'
import { folderForSuite, forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'

const patience = { withinMs: 30_000, everyMs: 100 }

describe('a signed checkpoint of the audit log', () => {
  const stack = stackForSuite({
    gateways: 1,
    services: ['identity', 'management'],
    constants: { identity: { CHECKPOINT_INTERVAL_S: 1 } },
  })
  const admin = forSuite(() => connectTo(stack.adminDatabaseUrl))
  const directory = folderForSuite()
  let own: TestOrganization
  let file: string
  let key: string

  beforeEach(async () => {
    own = await newOrganization(stack)
    await newProject(own)
    // The first export of an hour is a row itself: later ones leave the log as it is.
    await rows()
    await eventually(async () => {
      const { data } = await own.admin.client.call('listAuditEntries', { organization: own.slug })
      expect(data.filter(({ action }) => action === 'project.created')).toHaveLength(2)
      expect((await newest()).size).toBe(data.length)
    }, patience)
    file = join(directory, own.slug)
    expect(await bearing('audit-log', 'checkpoint', '--output', file)).toMatchObject({ code: 0 })
    const shown = await bearing('--json', 'audit-log', 'key')
    key = (JSON.parse(shown.stdout) as { verification_keys: string[] }).verification_keys.join()
  })

  const checkpoints = () => own.admin.client.call('listAuditCheckpoints', { organization: own.slug })
  const newest = async () => {
    const [checkpoint] = (await checkpoints()).data
    if (!checkpoint) throw new Error('there is no checkpoint yet')
    return checkpoint
  }
  const bearing = (...args: string[]) =>
    runBearing(args, {
      BEARING_URL: stack.gatewayUrls[0],
      BEARING_ORG: own.slug,
      BEARING_EMAIL: own.admin.email,
      BEARING_PASSWORD: own.admin.apiKey,
    })
  const verify = (...args: string[]) => bearing('audit-log', 'verify', '--against', file, ...args)
  const rows = async () => {
    const found: AuditEntry[] = []
    for await (const row of own.admin.client.stream('exportAuditEntries', { organization: own.slug }))
      found.push(row)
    return found
  }

  /** Replaces the chain by these rows with hashes that fit, as the owner of the database can. */
  async function rewrite(entries: readonly AuditEntry[]): Promise<void> {
    let previous: string | null = null
    const stored: object[] = []
    for (const entry of entries) {
      const { hash: _, ...unhashed } = { ...entry, previous_hash: previous }
      const hash = await entryHash(unhashed)
      const bytes = { previous_hash: previous && `\\x${previous}`, hash: `\\x${hash}` }
      stored.push({ ...unhashed, ...bytes, format: 1, chain: own.id })
      previous = hash
    }
    await admin.query('DELETE FROM identity.audit_log WHERE chain = $1', [own.id])
    await admin.query(
      'INSERT INTO identity.audit_log SELECT (jsonb_populate_record(NULL::identity.audit_log, value)).* FROM jsonb_array_elements($1)',
      [JSON.stringify(stored)],
    )
    await admin.query(
      "UPDATE identity.audit_chains SET length = $2, head_hash = decode($3, 'hex') WHERE id = $1",
      [own.id, entries.length, previous],
    )
    await admin.query('DELETE FROM identity.audit_checkpoints WHERE chain = $1', [own.id])
    expect(
      await callAsOperator(verifyAuditChain, { chain: own.id, after: { length: 0, hash: null } }, stack),
    ).toMatchObject({
      fault: null,
    })
  }

  it('is a note that verifiers of signed notes accept, with the hash of the last row', async () => {
    const { note, size } = await newest()
    const entries = await rows()
    const origin = `bearing.example.com/audit-hash-chain/${own.id}`
    expect(openCheckpoint(note, [key])).toEqual({ origin, size, hash: entries.at(-1)?.hash })
    expect(key.startsWith(`${origin}+`)).toBe(true)
    // The key of the examples of golang.org/x/mod/sumdb/note.
    expect(
      verificationKey('PeterNeumann', Buffer.from('GlzZBxQ8OExB6DDFvOEqqIF+xWSaqr8sMTiLNbLXRNY=', 'base64')),
    ).toBe('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
  })

  it('is accepted for an untouched log, online and offline', async () => {
    await newToken(own, stack)
    expect(await verify()).toMatchObject({ code: 0 })
    const exported = join(directory, 'audit.ndjson')
    await writeFile(exported, (await rows()).map((row) => `${JSON.stringify(row)}\n`).join(''))
    expect(
      await runBearing(['audit-log', 'verify', exported, '--against', file, '--key', key], {}),
    ).toMatchObject({
      code: 0,
    })
  })

  it('exposes a database owner who rewrites a row and computes the chain again', async () => {
    const entries = await rows()
    await rewrite(entries.map((row, index) => (index === 1 ? { ...row, action: 'nothing.happened' } : row)))
    expect(await bearing('audit-log', 'verify')).toMatchObject({ code: 0 })
    const found = await verify()
    expect(found).toMatchObject({ code: 1 })
    expect(found.stdout).toContain(`row ${String(entries.length)} `)
    expect(found.stdout).toContain('is not the one of the signed checkpoint')
  })

  it('exposes a database owner who cuts off the last rows, even if others follow', async () => {
    const entries = await rows()
    await rewrite(entries.slice(0, -1))
    expect(await bearing('audit-log', 'verify')).toMatchObject({ code: 0 })
    const found = await verify()
    expect(found).toMatchObject({ code: 1 })
    expect(found.stdout).toContain(`row ${String(entries.length)} is missing`)
    await newToken(own, stack)
    await newToken(own, stack)
    expect(await verify()).toMatchObject({ code: 1 })
  })

  it('is refused where it was forged, or is that of another organization', async () => {
    const { note } = await newest()
    await writeFile(file, note.replace(/\n\d+\n/, '\n1\n'))
    expect(await verify()).toMatchObject({ code: 2 })
    const other = await newOrganization(stack)
    await writeFile(file, note.replaceAll(own.id, other.id))
    expect(await verify('--key', key.replace(own.id, other.id))).toMatchObject({ code: 2 })
  })

  it('is not signed for a chain that contradicts an earlier one', async () => {
    const { size } = await newest()
    await admin.query(
      'UPDATE identity.audit_log SET hash = sha256(hash) WHERE chain = $1 AND sequence = $2',
      [own.id, size],
    )
    await newToken(own, stack)
    await expect(
      eventually(async () => expect((await newest()).size).toBeGreaterThan(size), { withinMs: 3_000 }),
    ).rejects.toThrow()
  })

  it('is signed at shutdown too', async () => {
    await stack.replace('identity', {}, { CHECKPOINT_INTERVAL_S: 3_600 })
    const { size } = await newest()
    await newToken(own, stack)
    const { length } = await rows()
    expect(length).toBeGreaterThan(size)
    expect((await newest()).size).toBe(size)
    await stack.part('identity').stop()
    await stack.part('identity').start()
    await eventually(async () => expect((await newest()).size).toBe(length), patience)
  })
})
