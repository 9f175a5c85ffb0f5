import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'

interface Flags {
  readonly keyMayLocate?: 'yes' | 'no'
}

export function addProjectSettings(projects: Command, cli: Cli): void {
  projects
    .command('settings')
    .description("show or change a project's settings")
    .argument('[slug]', 'slug of the project (default: --project)')
    .addOption(
      new Option('--key-may-locate <answer>', 'allow its project key to locate').choices(['yes', 'no']),
    )
    .action(async (slug: string | undefined, { keyMayLocate }: Flags) => {
      const session = await cli.session()
      const { client, organization } = session
      const address = { organization, project: slug ?? session.project }
      const settings =
        keyMayLocate === undefined
          ? await client.call('showProjectSettings', address)
          : await client.call('changeProjectSettings', {
              ...address,
              project_key_may_locate: keyMayLocate === 'yes',
            })
      if (keyMayLocate !== undefined) cli.output.done('Project settings changed.')
      const answer = settings.project_key_may_locate ? 'yes' : 'no'
      cli.output.record({ 'Project key may locate': answer }, settings)
    })
}
