import { ATTRIBUTE_TYPES } from '@bearing/contracts/management/devices/device-attribute'
import { verb, callVerb, listVerb } from '../session/verb.js'
import { confirmFlags, confirmTyped } from '../session/confirm-typed.js'
import { oneOf } from '../ground/arguments.js'

listVerb('devices attributes list', {
  about: 'list the attributes of a project',
  list: 'listAttributes',
  columns: { Name: 'name', Type: 'type', Declared: 'created_at' },
  empty: 'No attributes are declared. Declare one: bearing devices attributes declare <name>',
})

callVerb('devices attributes declare', {
  about: 'declare an attribute; a project can declare 64',
  takes: {
    '<name>': 'a–z, 0–9 and "_", at most 64',
    '--type <type>': oneOf('type of the values (default: string)', ATTRIBUTE_TYPES),
  },
  examples: ['customer --type string'],
  call: 'declareAttribute',
  input: ({ name: attribute, type = 'string' }) => ({ attribute, type }),
  done: 'Attribute declared.',
  show: { Name: 'name', Type: 'type', Declared: 'created_at' },
})

verb('devices attributes delete', {
  about: 'delete an attribute and its values from all devices; this cannot be undone',
  takes: { ...confirmFlags('name'), '<name>': 'name of the attribute' },
  examples: ['customer'],
  run: async (cli, { name: attribute, ...flags }) => {
    const warning = `All devices of the project lose their values of ${attribute}.`
    await confirmTyped(cli, attribute, warning, flags)
    const { client, organization, project } = await cli.session()
    await client.call('deleteAttribute', { organization, project, attribute })
    cli.output.done('Attribute deleted.')
  },
})
