import type { CallOutput } from '@bearing/client/call-types'
import { useState } from 'react'
import { useScope } from '../ground/scope.js'
import { Check } from '../parts/choice.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { SaveForm, useSave } from '../parts/save-form.js'
import { useProjectSettings } from './project-settings.js'

type Settings = CallOutput<'showProjectSettings'>

/** Chooses the permissions of the project key beside sending data. */
export function KeyPowersCard() {
  const settings = useProjectSettings()
  return (
    <Card
      title="What the key may do"
      about="Beside sending data. Anybody who extracts the key from a device can do it too."
    >
      <Loaded query={settings} lines={3}>
        {(shown) => <PowersForm key={JSON.stringify(shown)} settings={shown} />}
      </Loaded>
    </Card>
  )
}

function PowersForm({ settings }: { readonly settings: Settings }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [changed, setChanged] = useState(settings)
  const why = refused('project-settings:change')
  const flag = (may: boolean) => (may ? 'yes' : 'no')
  return (
    <SaveForm
      save={useSave('changeProjectSettings', { organization, project, ...changed }, ['project-settings'])}
      permission="project-settings:change"
      isDisabled={JSON.stringify(changed) === JSON.stringify(settings)}
      bearing={`bearing --org ${organization} projects settings set ${project} --key-may-locate ${flag(changed.project_key_may_locate)} --key-may-contribute ${flag(changed.project_key_may_contribute)}`}
    >
      <Check
        text="Ask for locations"
        hint="Devices learn where they are, from the access points and cells that the organization has."
        isDisabled={why !== undefined}
        isChecked={changed.project_key_may_locate}
        onChange={(project_key_may_locate) => setChanged({ ...changed, project_key_may_locate })}
      />
      <Check
        text="Contribute observations"
        hint="Access points and cells are learned from scans with a known position. A key in wrong hands can send made-up ones; of one client network each access point is learned once a day."
        isDisabled={why !== undefined}
        isChecked={changed.project_key_may_contribute}
        onChange={(project_key_may_contribute) => setChanged({ ...changed, project_key_may_contribute })}
      />
    </SaveForm>
  )
}
