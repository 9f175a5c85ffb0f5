import { importProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { ID, verb } from '../session/verb.js'
import { VARIABLES } from '../ground/environment.js'
import { FLAGS } from '../ground/flags.js'
import { idFrom } from '../ground/arguments.js'
import { UsageError } from '../ground/usage-error.js'
import { withOperator } from '../session/with-operator.js'

const KEY = '0123456789abcdef0123456789abcdef'

verb('admin import-project-key', { examples: [`${ID} ${ID} ${KEY}`] }, (command, cli) =>
  command
    .description('replace the key of a project by one that devices have already; for operators, over NATS')
    .argument(
      '<organization id>',
      'id of the organization',
      idFrom('bearing organizations list', 'organization id'),
    )
    .argument('<project id>', 'id of the project', idFrom('bearing projects list', 'project id'))
    .argument('<key>', 'the key that the devices send: 32 of 0–9 and a–f', keyOf)
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(
      async (
        organization_id: string,
        project_id: string,
        api_key: string,
        { natsUrl }: { natsUrl?: string },
      ) => {
        const input = { organization_id, project_id, api_key }
        const found = await withOperator(cli, natsUrl, (operator) => operator.call(importProjectKey, input))
        cli.output.done('Project key imported. Devices that have it can send now.')
        cli.output.record({ 'Project key': found.api_key }, found)
      },
    ),
)

function keyOf(text: string): string {
  if (/^[0-9a-f]{32}$/.test(text)) return text
  throw new UsageError('A project key is 32 characters of 0–9 and a–f.')
}
