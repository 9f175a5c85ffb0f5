import { spawnSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { OperationError } from '@bearing/contracts/errors'
import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, REQUEST_ID, TOKEN, type Answers } from '../testing/fake-gateway.js'
import { ENVIRONMENT, runAgainst as run } from '../testing/run-against.js'
import { MAIN, runCli } from '../testing/run-cli.js'

const record = (number: number, slug: string, name = slug) => ({
  id: id(number),
  slug,
  name,
  created_at: CREATED_AT,
})
const token = { ...TOKEN, permissions: ['project:list' as const] }
const listProjects: Answers['listProjects'] = (input) =>
  page([record(1, 'gate', 'Gate\u001b[2J'), record(2, 'dock')], 2, input)

describe('exit code 0', () => {
  it('comes with a table that holds no control character', async () => {
    const { code, stdout, stderr } = await run({ listProjects }, ['projects', 'list'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'SLUG  NAME           CREATED',
      'gate  Gate\\u001b[2J  2026-01-31 09:00 UTC',
      'dock  dock           2026-01-31 09:00 UTC',
      '',
    ])
  })

  it('comes with exactly one JSON document with --json', async () => {
    const { code, stdout, stderr } = await run({ listProjects }, ['projects', 'list', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toHaveLength(2)
  })

  it.each([
    ['json', /^\[\n {2}\{\n/],
    ['ndjson', /^\{.*\}\n\{.*\}\n$/],
    ['csv', /^id,slug,name,created_at\n.*,gate,Gate\\u001b\[2J,.*\n.*,dock,dock,.*\n$/],
    ['yaml', /^- id: .*\n {2}slug: gate\n {2}name: "Gate\\u001b\[2J"\n/],
  ])('comes with -o %s, before or after the command', async (format, text) => {
    const { code, stdout, stderr } = await run({ listProjects }, ['projects', 'list', '-o', format])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(text)
    const before = await run({ listProjects }, [`--output-format=${format}`, 'projects', 'list'])
    expect(before.stdout).toBe(stdout)
  })

  it('comes with at most --limit rows, which are not all read', async () => {
    const { stdout, requests } = await run({ listProjects }, ['projects', 'list', '-L', '1', '--json'])
    expect(JSON.parse(stdout)).toHaveLength(1)
    expect(requests).toEqual(['GET /api/v0/organizations/acme/projects?page=1&per_page=1'])
  })

  it.each([
    ['before', ['--json', '--org', 'other', 'projects', 'list']],
    ['after', ['projects', 'list', '--org', 'other', '--json']],
  ])('comes with global options %s the command', async (_, args) => {
    const { code, requests } = await run({ listProjects }, args)
    expect(code).toBe(0)
    expect(requests).toEqual(['GET /api/v0/organizations/other/projects?page=1&per_page=10000'])
  })

  it('comes with help and the version on standard output', async () => {
    expect(await runCli(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
    expect(await runCli(['org-tokens', 'create', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--description'),
    })
  })
})

describe('exit code 1', () => {
  const refuse: Answers = {
    createProject: () => {
      throw new OperationError('invalid_input', 'The input has mistakes.', {
        errors: [{ pointer: '/name', detail: 'is too\u001b long' }],
      })
    },
  }

  it('comes with all the server said', async () => {
    const { code, stdout, stderr } = await run(refuse, ['projects', 'create', 'x'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    for (const said of [
      'The input has mistakes.',
      '/name',
      'is too\\u001b long',
      'invalid_input',
      '400',
      REQUEST_ID,
    ])
      expect(stderr).toContain(said)
  })

  it('comes with the same as JSON on standard error', async () => {
    const { code, stdout, stderr } = await run(refuse, ['projects', 'create', 'x', '--json'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({
      error: expect.objectContaining({
        code: 'invalid_input',
        status: 400,
        request_id: REQUEST_ID,
        errors: [{ pointer: '/name', detail: 'is too\u001b long' }],
        exit_code: 1,
      }),
    })
  })

  it('is 4 for a refused credential, with where that is from', async () => {
    const refused = () => {
      throw new OperationError('credential_invalid', 'No.')
    }
    const ran = await run({ whoAmI: refused }, ['whoami'])
    expect(ran).toMatchObject({ code: 4, stdout: '' })
    expect(ran.stderr).toContain('the organization token from BEARING_ORG_TOKEN')
    const swapped = await run({ whoAmI: refused }, ['whoami', '--org-token', 'brgu_x'])
    expect(swapped.stderr).toContain('from --org-token. This is a user API key: use --email and --password.')
  })
})

describe('exit code 2', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['projcts']],
    ['an unknown option', ['projects', 'list', '--nope']],
    ['an unknown format', ['projects', 'list', '-o', 'xml']],
    ['a missing argument', ['projects', 'create']],
    ['a missing option', ['org-tokens', 'create']],
    ['too many arguments', ['whoami', 'x']],
    [
      'a permission that no token can have',
      ['org-tokens', 'create', '--description', 'x', '--permission', 'organization:create'],
    ],
    [
      'two ways to say when',
      ['org-tokens', 'create', '--description', 'x', '--expires-in', '1d', '--expires-at', '2099-01-01'],
    ],
    ['an address that is none', ['whoami', '--url', 'nonsense']],
    ['two kinds of credential', ['whoami', '--org-token', 'a', '--project-key', 'b']],
    ['a slug that cannot stand in an address', ['projects', 'show', '..']],
    ['an id that is none', ['org-tokens', 'rotate', '1234']],
    ['the id of a webhook that is none', ['webhooks', 'deliveries', '1234']],
    ['neither --ap nor a file', ['locate']],
    ['a file that does not exist', ['locate', '/nowhere']],
    ['two things from standard input', ['locate', '-', '--org-token', '-']],
  ])('comes with %s, and nothing is sent', async (_, args) => {
    const { code, stdout, stderr, requests } = await run({}, args, { stdin: '[]' })
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] })
    expect(stderr).not.toBe('')
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it.each([
    [['projcts'], 'Unknown command "projcts"'],
    [['projects', 'lst'], 'Unknown command "lst"'],
    [['projects', 'list', '-x'], 'Unknown option -x'],
    [['org-tokens', 'list', '--state', 'actve'], 'not valid: "actve"'],
    [['completion', 'tcsh'], 'not valid: "tcsh"'],
    [['projects', 'list', '--limt', '3'], 'Unknown option --limt. Did you mean --limit?'],
    [
      ['org-tokens', 'create', '--descripton', 'x'],
      'Unknown option --descripton. Did you mean --description?',
    ],
    [['org-tokens', 'create'], 'not specified'],
    [['org-tokens', 'rotate', '1234'], '"bearing org-tokens list" shows the ids.'],
    [
      ['org-tokens', 'create', '--description', 'x', '--permission', 'project:list', 'location:resolve'],
      'To give an option several values, repeat it',
    ],
  ])('comes with what was not understood: %j', async (args, said) => {
    expect((await run({}, args)).stderr).toContain(said)
  })

  it.each([[['correct-horse-battery-staple']], [['completion', 'Zx9secret']], [['projects', 'hunter2']]])(
    'comes without words that may be secrets: %j',
    async (args) => {
      const { stderr } = await run({}, args)
      expect(stderr).not.toContain(args.at(-1))
    },
  )

  it('comes as JSON with --json', async () => {
    const { code, stderr } = await run({}, ['projects', 'list', '--nope', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', exit_code: 2 } })
  })

  it('comes with two kinds of credential in the environment, unless a flag decides', async () => {
    const environment = { ...ENVIRONMENT, BEARING_PROJECT_KEY: 'k' }
    const undecided = await run({ listProjects }, ['projects', 'list'], { environment })
    expect(undecided).toMatchObject({ code: 2, requests: [] })
    expect(undecided.stderr).toContain('BEARING_ORG_TOKEN and BEARING_PROJECT_KEY')
    expect(
      (await run({ listProjects }, ['projects', 'list', '--org-token', 't'], { environment })).code,
    ).toBe(0)
  })
})

describe('exit code 3', () => {
  it('comes with a server that cannot be reached, and where its address is from', async () => {
    const { code, stderr } = await runCli(['whoami'], {
      environment: { ...ENVIRONMENT, BEARING_URL: 'http://127.0.0.1:9' },
    })
    expect(code).toBe(3)
    expect(stderr).toContain('http://127.0.0.1:9 cannot be reached')
    expect(stderr).toContain('BEARING_URL')
  })
})

describe('the credential', () => {
  it('is read from standard input for "-"', async () => {
    let seen: string | undefined
    const answers: Answers = {
      listProjects: (input, headers) => {
        seen = headers.authorization
        return page([], 0, input)
      },
    }
    await run(answers, ['projects', 'list', '--org-token', '-'], { stdin: 'from-stdin\n' })
    expect(seen).toBe('Bearer from-stdin')
    await run(answers, ['projects', 'list', '--email', 'a@b.example', '--password', '-'], {
      stdin: 'secret word\r\n',
    })
    expect(seen).toBe(`Basic ${Buffer.from('a@b.example:secret word').toString('base64')}`)
  })
})

describe('a token', () => {
  it('is shown once, and said to be', async () => {
    let asked: unknown
    const { stdout, stderr } = await run(
      {
        createOrganizationToken: (input) => {
          asked = input
          return { ...token, token: 'brgo_Secret' }
        },
      },
      [
        'org-tokens',
        'create',
        '--description',
        'ci',
        '--permission',
        'project:list',
        '--permission',
        'location:resolve',
        '--expires-at',
        '2099-01-01',
      ],
    )
    expect(asked).toMatchObject({
      permissions: ['project:list', 'location:resolve'],
      expires_at: '2099-01-01T00:00:00.000Z',
    })
    expect(stdout).toContain('brgo_Secret')
    expect(stderr).toContain('shown only once')
    expect(stderr).not.toContain('brgo_Secret')
  })
})

const LOCATION = {
  lat: 48.1,
  lon: 11.5,
  uncertainty: 23.4,
  fulfilledWith: 'WIFI' as const,
  accessPoints: { received: 2, usable: 2, known: 2, used: 2 },
}

describe('locate', () => {
  const answers: Answers = {
    resolveWifiLocation: ({ accessPoints }) => {
      if ((accessPoints?.length ?? 0) < 2) throw new OperationError('too_few_access_points', 'Too few.')
      return LOCATION
    },
    resolveWifiBatch: ({ scans }) => ({
      results: scans.map(({ data }) =>
        (data?.accessPoints?.length ?? 0) < 2
          ? { error: { code: 'too_few_access_points', detail: 'Too few.' } }
          : { location: LOCATION },
      ),
    }),
  }
  const scan = {
    accessPoints: ['00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:60'].map((macAddress) => ({
      macAddress,
      signalStrength: -60,
    })),
  }
  const two = ['--ap', '00:1a:2b:3c:4d:5e=-67', '--ap', '00:1a:2b:3c:4d:60=-71']

  it('gives one position for --ap', async () => {
    const { code, stdout } = await run(answers, ['locate', ...two, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(LOCATION)
  })

  it('asks for the given confidence, and shows it and what was used', async () => {
    const confidences: unknown[] = []
    const noted: Answers = {
      resolveWifiLocation: ({ confidence }) => {
        confidences.push(confidence)
        return LOCATION
      },
    }
    const { stdout } = await run(noted, ['locate', ...two, '--confidence', '95'])
    expect(stdout).toContain('23 m (95 %)')
    expect(stdout).toContain('2 of 2 used')
    await run(noted, ['locate', ...two])
    expect(confidences).toEqual([95, 68])
    expect((await run(noted, ['locate', ...two, '--confidence', '100'])).code).toBe(2)
  })

  it('gives a row for each scan of a file, and exit code 1 where one failed', async () => {
    const stdin = [scan, { accessPoints: scan.accessPoints.slice(1) }, { x: 1 }, scan]
      .map((line) => JSON.stringify(line))
      .join('\n')
    const { code, stdout, stderr } = await run(answers, ['locate', '-', '--json'], { stdin })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject([
      { scan: 1, lat: 48.1 },
      { scan: 2, error: { code: 'too_few_access_points', message: 'Too few.' } },
      { scan: 3, error: { code: 'not_a_scan' } },
      { scan: 4, lat: 48.1 },
    ])
    const people = await run(answers, ['locate', '-'], { stdin })
    expect(people.code).toBe(1)
    expect(people.stdout).toContain('Too few.')
    expect(people.stderr).toContain('2 of 4 scans without a position')
  })

  it('stops at a credential that is refused', async () => {
    const refused: Answers = {
      resolveWifiBatch: () => {
        throw new OperationError('credential_invalid', 'No.')
      },
    }
    const stdin = Array.from({ length: 2_000 }, () => JSON.stringify(scan)).join('\n')
    const { code, stdout, requests } = await run(refused, ['locate', '-'], { stdin })
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(requests.length).toBeLessThan(10)
  })
})

it('whoami shows slugs of organizations if the server does', async () => {
  const grant = { role: 'member' as const, projects: [], sso_required: true }
  const { stdout } = await run(
    {
      whoAmI: () => ({
        ...{
          kind: 'user' as const,
          user_id: id(4),
          email: 'ann@acme.example',
          credential_id: id(5),
          proof: 'api_key' as const,
        },
        grants: [
          { organization_id: id(1), ...grant },
          { organization_id: id(7), ...grant },
        ],
      }),
      listOrganizations: (input) => page([record(1, 'acme')], 1, input),
    },
    ['whoami'],
  )
  expect(stdout).toContain('ann@acme.example')
  expect(stdout).toMatch(/acme +member +0 projects +single sign-on required/)
  expect(stdout).toContain(id(7))
})

it('standard output that is full is an error in words', async () => {
  const full = await open('/dev/full', 'w')
  try {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'completion', 'bash'], {
      env: {},
      stdio: ['ignore', full.fd, 'pipe'],
      encoding: 'utf8',
    })
    expect(stderr).toBe('error: Standard output cannot be written (ENOSPC).\n')
    expect(status).toBe(1)
  } finally {
    await full.close()
  }
})
