import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Collection, Header, Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { addressOf } from '../ground/address-of.js'
import { asked } from '../ground/asked.js'
import { organizations, projectsOf } from '../ground/queries.js'
import { useNearScope, useScope, type Named } from '../ground/scope.js'
import { Icon } from '../parts/icon.js'

/** Projects and organizations to switch to, and what creates new ones. The page stays the same where it can. */
export function SwitcherMenu({
  button,
  onClose,
}: {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}) {
  const { organization, organizationSlug, projectSlug, refused } = useNearScope()
  const open = useScope()
  const known = useQuery(organizations).data ?? []
  const projects = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' }).data ?? []
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const toProject = (slug: string) =>
    void navigate({
      to:
        open.projectSlug === ''
          ? addressOf('/o/$organization/p/$project/devices', organizationSlug, slug)
          : listOf(pathname).replace(`/p/${open.projectSlug}/`, `/p/${slug}/`),
    })
  const toOrganization = (slug: string) =>
    void navigate({
      to: pathname.includes('/admin/')
        ? pathname.replace(`/o/${open.organizationSlug}/`, `/o/${slug}/`)
        : `/app/o/${slug}`,
    })
  return (
    <Popover
      aria-label="Organization and project"
      className="popover"
      placement="bottom start"
      triggerRef={button}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Menu aria-label="Organization and project" className="menu" autoFocus="first" onClose={onClose}>
        {projects.length > 0 && (
          <Tenants
            title={`Projects of ${organization?.name ?? ''}`}
            list={projects}
            current={projectSlug}
            onChoose={toProject}
          />
        )}
        {known.length > 0 && (
          <Tenants title="Organizations" list={known} current={organizationSlug} onChoose={toOrganization} />
        )}
        <MenuSection aria-label="New">
          <MenuItem
            className="option"
            textValue="New project"
            isDisabled={!organization || refused('project:create') !== undefined}
            onAction={() => asked.set('project')}
          >
            <span className="row">
              <Icon name="plus" /> New project
            </span>
          </MenuItem>
          <MenuItem
            className="option"
            textValue="New organization"
            isDisabled={refused('organization:create') !== undefined}
            onAction={() => asked.set('organization')}
          >
            <span className="row">
              <Icon name="plus" /> New organization
            </span>
          </MenuItem>
        </MenuSection>
      </Menu>
    </Popover>
  )
}

function Tenants({
  title,
  list,
  current,
  onChoose,
}: {
  readonly title: string
  readonly list: readonly Named[]
  readonly current: string
  readonly onChoose: (slug: string) => void
}) {
  return (
    <MenuSection>
      <Header>{title}</Header>
      <Collection items={list}>
        {({ slug, name }) => (
          <MenuItem className="option" textValue={name} onAction={() => onChoose(slug)}>
            <span className="row spread">
              {name}
              {slug === current && <Icon name="check" />}
            </span>
            {name !== slug && <small>{slug}</small>}
          </MenuItem>
        )}
      </Collection>
    </MenuSection>
  )
}

/** Returns the address of the list that an object is in: another project does not have the object. */
function listOf(pathname: string): string {
  return pathname.replace(/\/(devices|webhooks)\/[^/]+$/, '/$1')
}
