import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { MAX_BOUND_PROJECTS } from '@bearing/contracts/identity/tokens/organization-token'
import { MAX_ORGANIZATIONS_OF_USER } from '@bearing/contracts/identity/people/user'
import {
  MAX_BATCH_ROWS,
  MAX_PACKED_ROWS,
} from '@bearing/contracts/location/access-points/access-point-import'
import { MAX_ERASED_AREAS } from '@bearing/contracts/location/access-points/erase-stations'
import {
  MAX_GEOSUBMIT_BYTES,
  MAX_OBSERVATIONS,
  MAX_SUBMISSION_BYTES,
} from '@bearing/contracts/location/observations/observation'
import { MAX_BATCH_BYTES, MAX_BATCH_SCANS } from '@bearing/contracts/location/lookups/wifi-batch'
import { MAX_CHUNKS, MAX_CHUNKS_BYTES } from '@bearing/contracts/management/data/chunk'
import { MAX_WEBHOOKS } from '@bearing/contracts/management/webhook'
import { MAX_PER_PAGE } from '@bearing/contracts/primitives'
import {
  MAX_LEGACY_TOKENS,
  MAX_OPEN_INVITATIONS,
  MAX_PENDING_PARTNER_LINKS,
  MAX_PROJECT_ROLES_OF_MEMBER,
  MAX_SSO_CONNECTIONS,
  MAX_SSO_DOMAINS,
} from '@bearing/contracts/counts/quota'
import { ERRORS, ERROR_CODES } from '@bearing/contracts/errors'
import { VERSION } from '@bearing/contracts/version'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { ROOT } from '../tools/root.js'

const PAGES = join(ROOT, 'docs', 'errors')

/** The problem document that a page shows. */
function exampleOf(page: string): Record<string, unknown> {
  const json = /```json\n(.*?)```/s.exec(page)?.[1]
  if (json === undefined) throw new Error('the page has no example')
  return JSON.parse(json) as Record<string, unknown>
}

describe('pages of error codes', () => {
  it('exist for every code, and for nothing else', async () => {
    const pages = (await readdir(PAGES)).filter((name) => name !== 'README.md').sort()
    expect(pages).toEqual(ERROR_CODES.map((code) => `${code}.md`).sort())
  })

  it.each(ERROR_CODES)('contain status and title of %s', async (code) => {
    const page = await readFile(join(PAGES, `${code}.md`), 'utf8')
    const { status, title } = ERRORS[code]
    expect(page).toContain(`# ${code}\n\n${status}: ${title}.\n`)
    for (const section of ['Causes', 'What to do', 'Example']) expect(page).toContain(`\n## ${section}\n`)
    const example = exampleOf(page)
    expect(example).toMatchObject({ code, status, title, error: { code, http_code: status } })
    expect(example['type']).toMatch(new RegExp(`^https://.+/docs/errors/${code}$`))
  })

  it('link to pages that exist', async () => {
    for (const code of ERROR_CODES) {
      const page = await readFile(join(PAGES, `${code}.md`), 'utf8')
      const linked = [...page.matchAll(/\]\((\w+)\.md\)/g)].map(([, name]) => name)
      expect(ERROR_CODES).toEqual(expect.arrayContaining(linked))
    }
  })
})

describe('version', () => {
  it('is the same in the contracts and in package.json', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(VERSION).toBe(version)
  })
})

/** Returns the anchors of the headings of a document, as renderers make them; those of a list that the build fills in too. */
function headingsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const built = join(ROOT, 'apps', 'docs', 'dist', 'pages', relative(join(ROOT, 'docs'), file))
  const text =
    source.includes('<!-- list -->') && !file.endsWith('README.md') ? readFileSync(built, 'utf8') : source
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('docs/limits.md', () => {
  const UNITS: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
  const rowsOf = async (page: string) =>
    (await readFile(join(ROOT, 'apps', 'docs', 'dist', 'pages', page), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').map((cell) => cell.trim()))
  const figuresOf = (value: string) =>
    [...value.matchAll(/(\d[\d,]*)(?: (KiB|MiB|GiB))?/g)].map(
      ([, digits = '', unit = '']) => Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1),
    )

  it('has the default of every limit that is a setting', async () => {
    const settings = new Map(
      (await rowsOf('configuration.md')).map(([, name = '', , value = '']) => [
        name,
        [...value.matchAll(/\d+/g)].map(Number),
      ]),
    )
    const limits = (await rowsOf('limits.md')).filter(([, , , setting = '']) => /^`[A-Z_]+`$/.test(setting))
    expect(limits.length).toBeGreaterThan(6)
    for (const [, limit = '', value = '', setting = ''] of limits) {
      expect([limit, setting, figuresOf(value)]).toEqual([limit, setting, settings.get(setting)])
    }
  })

  it.each([
    ['Projects of a bound token', [MAX_BOUND_PROJECTS]],
    ['Legacy location tokens', [MAX_LEGACY_TOKENS]],
    ['Single sign-on connections', [MAX_SSO_CONNECTIONS]],
    ['Email domains', [MAX_SSO_DOMAINS]],
    ['Open invitations', [MAX_OPEN_INVITATIONS]],
    ['Pending requests of partner teams', [MAX_PENDING_PARTNER_LINKS]],
    ['Project roles of a member', [MAX_PROJECT_ROLES_OF_MEMBER]],
    ['Organizations of a user', [MAX_ORGANIZATIONS_OF_USER]],
    ['Webhooks', [MAX_WEBHOOKS]],
    ['Erased areas', [MAX_ERASED_AREAS]],
    ['Chunks', [MAX_CHUNKS, MAX_CHUNKS_BYTES]],
    ['Observations', [MAX_OBSERVATIONS, MAX_SUBMISSION_BYTES, MAX_GEOSUBMIT_BYTES]],
    ['Scans of a batch', [MAX_BATCH_SCANS, MAX_BATCH_BYTES]],
    ['Rows of an import batch', [MAX_PACKED_ROWS, MAX_BATCH_ROWS]],
    ['Items of a page', [MAX_PER_PAGE]],
  ])('has the fixed limit that the contracts have: %s', async (limit, figures) => {
    const rows = (await rowsOf('limits.md')).filter((row) => row[1] === limit)
    expect(rows.map((row) => figuresOf(row[2] ?? ''))).toEqual([figures])
  })
})

describe('documents', () => {
  it('link to files and headings that exist', () => {
    const folders = ['', 'docs', 'docs/decisions', 'docs/errors', 'notes', 'notes/decisions', 'bench']
    const files = folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(ROOT, folder, name)),
    )
    const broken = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        const [path = '', heading] = link.split('#')
        const target = path === '' ? file : join(dirname(file), path)
        const isThere = existsSync(target) && (heading === undefined || headingsOf(target).includes(heading))
        return isThere ? [] : [`${relative(ROOT, file)}: ${link}`]
      }),
    )
    expect(broken).toEqual([])
  })
})

describe('docs/decisions', () => {
  const folder = join(ROOT, 'docs', 'decisions')
  const records = readdirSync(folder).filter((name) => name !== 'README.md')

  it('has an index of all records with their titles, but of none that is superseded', () => {
    const index = readFileSync(join(folder, 'README.md'), 'utf8')
    const wrong = records.filter((name) => {
      const record = readFileSync(join(folder, name), 'utf8')
      const title = /^# \d+\. (.+)$/m.exec(record)?.[1] ?? ''
      return index.includes(`[${title}](${name})`) === record.includes('## Status\n\nSuperseded')
    })
    expect(wrong).toEqual([])
  })

  it('has a status and a decision in every record', () => {
    const incomplete = records.filter((name) => {
      const record = readFileSync(join(folder, name), 'utf8')
      return !record.includes('\n## Status\n') || !record.includes('\n## Decision\n')
    })
    expect(incomplete).toEqual([])
  })
})

describe('docs/architecture.md', () => {
  const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')

  it('names files that exist', () => {
    const named = [...page.matchAll(/`((?:gateway|identity|management|location|packages)\/[\w./-]+)`/g)].map(
      ([, path = '']) =>
        path.startsWith('packages/') ? path : path.replace('/', '/src/').replace(/^/, 'apps/'),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

describe('dependencies', () => {
  it('are each explained', async () => {
    const { catalog } = parse(await readFile(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')) as {
      catalog: Record<string, string>
    }
    const explained = await readFile(
      join(ROOT, 'docs', 'decisions', '0002-pin-every-dependency-and-say-what-it-is-for.md'),
      'utf8',
    )
    for (const name of Object.keys(catalog)) {
      const family = /^@(nestjs|types)\//.exec(name)
      expect([name, explained.includes(family ? `\`${family[0]}*\`` : `\`${name}\``)]).toEqual([name, true])
    }
  })

  it('are pinned to one version', async () => {
    const { catalog } = parse(await readFile(join(ROOT, 'pnpm-workspace.yaml'), 'utf8')) as {
      catalog: Record<string, string>
    }
    for (const version of Object.values(catalog)) expect(version).toMatch(/^\d+\.\d+\.\d+/)
  })
})
