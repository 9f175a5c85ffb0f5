import { ATTRIBUTE_TYPES, type AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { AddButton } from '../parts/add-button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Field } from '../parts/field.js'
import { SaveDialog } from '../parts/form-dialog.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { useSave } from '../parts/save-form.js'
import { Select } from '../parts/select.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { TypedField } from '../parts/typed-field.js'
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
  const permission = 'device:change'
  return (
    <Page
      title="Device Attributes"
      about="What can be said of a device beside what it sends, such as its customer. A project can declare 64."
      action={
        <AddButton permission={permission} dialog={(close) => <DeclareDialog onClose={close} />}>
          Declare
        </AddButton>
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
                    <DialogButton
                      look="small danger"
                      permission={permission}
                      aria-label={`Delete ${name}`}
                      dialog={(close) => <DeleteDialog name={name} onClose={close} />}
                    >
                      Delete
                    </DialogButton>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

function DeclareDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [name, nameInput] = useInput('')
  const [type, typeInput] = useInput<AttributeType>('string')
  const input = { organization, project, attribute: name.trim(), type }
  const save = useSave('declareAttribute', input, ['device-attributes'])
  return (
    <SaveDialog title="Declare an attribute" save={save} verb="Declare" onClose={onClose}>
      <Field
        label="Name"
        name="attribute"
        hint="1 to 64 of a–z, 0–9 and “_”, starting with a letter."
        isRequired
        autoFocus
        maxLength={64}
        {...nameInput}
      />
      <Select
        label="Type of the values"
        options={ATTRIBUTE_TYPES.map((id) => ({ id, text: id, hint: HINTS[id] }))}
        {...typeInput}
      />
      <AsCommand
        bearing={`bearing --org ${organization} --project ${project} devices attributes declare ${quoted(name || 'customer')} --type ${type}`}
        call={['declareAttribute', { ...input, attribute: input.attribute || 'customer' }]}
      />
    </SaveDialog>
  )
}

function DeleteDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [typed, typedInput] = useInput('')
  const input = { organization, project, attribute: name }
  return (
    <SaveDialog
      title={`Delete the attribute ${name}?`}
      save={useSave('deleteAttribute', input, ['device-attributes'])}
      verb="Delete"
      look="danger primary"
      isDisabled={typed.trim() !== name}
      bearing={`bearing --org ${organization} --project ${project} devices attributes delete ${name} --confirm ${name}`}
      onClose={onClose}
    >
      <p>
        Its values disappear from all devices immediately. <strong>This cannot be undone.</strong>
      </p>
      <TypedField word={name} {...typedInput} />
    </SaveDialog>
  )
}
