import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useScope } from '../ground/scope.js'
import { Button, PermittedButton } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { Page } from '../parts/page.js'
import { DeletionNotice } from './deletion-notice.js'
import { DeviceList } from './device-list.js'
import { rereadDevices, attributesOf } from './device-queries.js'
import { RegisterDialog } from './register-dialog.js'
import { SeenChart } from './seen-chart.js'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.js')).ImportDialog }))

type Asked = 'register' | 'import'

/** `…/devices`: finds devices among any number. */
export function DevicesPage() {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const attributes = useQuery(attributesOf(organization, project))
  const [asked, setAsked] = useState<Asked>()
  const ask = (next: Asked) => () => setAsked(next)
  const close = () => {
    setAsked(undefined)
    void rereadDevices()
  }
  const register = { refused: refused('device:register'), permission: 'device:register' } as const
  return (
    <Page
      title="Devices"
      about="A device appears with the first data that it sends, or when it is registered."
      action={
        <div className="row">
          {register.refused ? null : (
            <Button aria-haspopup="dialog" onPress={ask('import')}>
              Import CSV
            </Button>
          )}
          <PermittedButton look="primary" {...register} aria-haspopup="dialog" onPress={ask('register')}>
            <Icon name="plus" /> Register
          </PermittedButton>
        </div>
      }
    >
      <DeletionNotice />
      <SeenChart />
      <DeviceList attributes={attributes.data ?? []} />
      {asked === 'register' && <RegisterDialog onClose={close} />}
      <Suspense>
        {asked === 'import' && <ImportDialog attributes={attributes.data ?? []} onClose={close} />}
      </Suspense>
    </Page>
  )
}
