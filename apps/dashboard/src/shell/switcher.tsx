import { lazy, Suspense, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useAsked } from '../ground/asked.js'
import { useNearScope } from '../ground/scope.js'
import { Icon } from '../parts/icon.js'

// Components that few visits need are not loaded with every page.
const SwitcherMenu = lazy(async () => ({ default: (await import('./switcher-menu.js')).SwitcherMenu }))
const NewTenant = lazy(async () => ({ default: (await import('./new-tenant.js')).NewTenant }))

/** Shows the organization and the project, on every page, and opens the menu that changes them. */
export function Switcher() {
  const { organization, project } = useNearScope()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const asked = useAsked()
  return (
    <>
      <Button
        ref={button}
        className="select-button switcher"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <span className="visually-hidden">Organization and project: </span>
        <span className="value">
          <small>{organization?.name ?? 'No organization'}</small>
          <b>{project?.name ?? (organization ? 'No project' : 'Bearing')}</b>
        </span>
        <Icon name="switch" />
      </Button>
      <Suspense>
        {isOpen && <SwitcherMenu button={button} onClose={() => setOpen(false)} />}
        {asked !== undefined && asked !== 'add' && <NewTenant key={asked} kind={asked} />}
      </Suspense>
    </>
  )
}
