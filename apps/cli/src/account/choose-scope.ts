import type { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import type { Output } from '../ground/output/output.js'
import type { Cli } from '../session/cli.js'
import { sanitize } from '../ground/output/sanitize.js'

/** A command line that can ask its user. */
interface Asking extends Pick<Cli, 'ask'> {
  readonly terminal: { readonly stdin: { readonly isTTY?: boolean } }
  readonly output: Pick<Output, 'forPrograms' | 'say' | 'paint'>
}

interface Choice {
  readonly slug: string
  readonly name: string
}

/** The most that are offered. Beyond them, slugs are typed. */
const OFFERED = 30

/** Returns the organization to work in: the only one, or the one that is chosen on a terminal. */
export async function chooseOrganization(cli: Cli, client: BearingClient): Promise<string | undefined> {
  return choose(cli, 'organization', await client.listAll('listOrganizations', {}, { limit: OFFERED }))
}

/** Returns the project to work in, likewise. Undefined also if the organization does not accept the session. */
export async function chooseProject(
  cli: Cli,
  client: BearingClient,
  organization: string,
): Promise<string | undefined> {
  try {
    const projects = await client.listAll('listProjects', { organization }, { limit: OFFERED })
    return await choose(cli, 'project', projects)
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** @returns the slug of the only choice, or of the one that is chosen on a terminal */
export async function choose(
  cli: Asking,
  what: string,
  choices: readonly Choice[],
): Promise<string | undefined> {
  if (choices.length < 2) return choices[0]?.slug
  if (!cli.terminal.stdin.isTTY || cli.output.forPrograms) return undefined
  cli.output.say(`Which ${what}?`)
  choices.forEach(({ slug, name }, index) => {
    cli.output.say(`  ${String(index + 1).padStart(2)}  ${slug}  ${cli.output.paint(sanitize(name), 'dim')}`)
  })
  for (;;) {
    const answer = await cli.ask(`1 to ${String(choices.length)}, a slug, or Enter for none: `)
    if (answer === '') return undefined
    const chosen = choices[Number(answer) - 1] ?? choices.find(({ slug }) => slug === answer)
    if (chosen) return chosen.slug
  }
}
