import { ATTRIBUTE_TYPES, type AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Icon } from '../parts/icon.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { Select } from '../parts/select.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { attributesOf } from './device-queries.js'

const HINTS: Readonly<Record<AttributeType, string>> = {
  string: '1 to 256 characters',
  number: 'Such as 12.5; can be compared',
  boolean: 'true or false',
  time: 'In UTC; can be compared',
}

/** `…/settings/attributes`: the attributes that devices of the project can have. */
export function AttributesPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const attributes = useQuery(attributesOf(organization, project))
  const [asked, setAsked] = useState<{ readonly delete?: string }>()
  const permission = 'device:change'
  const close = () => {
    setAsked(undefined)
    void queryClient.invalidateQueries({ queryKey: ['device-attributes'] })
  }
  return (
    <Page
      title="Device Attributes"
      about="What can be said of a device beside what it sends, such as its customer. A project can declare 64."
      action={
        <PermittedButton
          look="primary"
          aria-haspopup="dialog"
          permission={permission}
          onPress={() => setAsked({})}
        >
          <Icon name="plus" /> Declare
        </PermittedButton>
      }
    >
      <Loaded query={attributes} lines={2}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              title="No attribute is declared"
              command={`bearing --org ${organization} --project ${project} devices attributes declare customer`}
            >
              Declare one here, or on the command line:
            </Empty>
          ) : (
            <Table
              rows={list}
              idOf={({ name }) => name}
              columns={[
                {
                  title: 'Name',
                  isRowHeader: true,
                  sortBy: ({ name }) => name,
                  cell: ({ name }) => <code>{name}</code>,
                },
                { title: 'Type', sortBy: ({ type }) => type, cell: ({ type }) => type },
                {
                  title: 'Declared',
                  sortBy: ({ created_at }) => created_at,
                  cell: ({ created_at }) => <Time at={created_at} />,
                },
                {
                  title: 'Actions',
                  isActions: true,
                  cell: ({ name }) => (
                    <PermittedButton
                      look="small danger"
                      aria-haspopup="dialog"
                      permission={permission}
                      aria-label={`Delete ${name}`}
                      onPress={() => setAsked({ delete: name })}
                    >
                      Delete
                    </PermittedButton>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {asked?.delete !== undefined && <DeleteDialog name={asked.delete} onClose={close} />}
      {asked && asked.delete === undefined && <DeclareDialog onClose={close} />}
    </Page>
  )
}

function DeclareDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [name, setName] = useState('')
  const [type, setType] = useState<AttributeType>('string')
  const input = { organization, project, attribute: name.trim(), type }
  const action = useAction(async () => {
    await client.call('declareAttribute', input)
    onClose()
  })
  return (
    <FormDialog title="Declare an attribute" action={action} verb="Declare" onClose={onClose}>
      <Field
        label="Name"
        name="attribute"
        hint="1 to 64 of a–z, 0–9 and “_”, starting with a letter."
        isRequired
        autoFocus
        maxLength={64}
        value={name}
        onChange={setName}
      />
      <Select
        label="Type of the values"
        value={type}
        options={ATTRIBUTE_TYPES.map((id) => ({ id, text: id, hint: HINTS[id] }))}
        onChange={setType}
      />
      <AsCommand
        bearing={`bearing --org ${organization} --project ${project} devices attributes declare ${quoted(name || 'customer')} --type ${type}`}
        call={['declareAttribute', { ...input, attribute: input.attribute || 'customer' }]}
      />
    </FormDialog>
  )
}

function DeleteDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [typed, setTyped] = useState('')
  const action = useAction(async () => {
    await client.call('deleteAttribute', { organization, project, attribute: name })
    onClose()
  })
  return (
    <FormDialog
      title={`Delete the attribute ${name}?`}
      action={action}
      verb="Delete"
      look="danger primary"
      isDisabled={typed.trim() !== name}
      onClose={onClose}
    >
      <p>
        Its values disappear from all devices immediately. <strong>This cannot be undone.</strong>
      </p>
      <Field
        label={`Type ${name} to confirm`}
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={setTyped}
      />
      <AsCommand
        bearing={`bearing --org ${organization} --project ${project} devices attributes delete ${name} --confirm ${name}`}
        call={['deleteAttribute', { organization, project, attribute: name }]}
      />
    </FormDialog>
  )
}
