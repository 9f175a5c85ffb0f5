import type { IconName } from '../parts/icon.js'

/** An entry of the navigation. */
export interface Section {
  readonly id: 'home' | 'devices' | 'location' | 'files' | 'webhooks' | 'settings' | 'admin' | 'account'
  readonly title: string
  readonly icon: IconName
}

/** The navigation, in order. Eight entries fit every screen; further pages go into one of them. */
export const SECTIONS: readonly Section[] = [
  { id: 'home', title: 'Home', icon: 'home' },
  { id: 'devices', title: 'Devices', icon: 'devices' },
  { id: 'location', title: 'Location', icon: 'map' },
  { id: 'files', title: 'Files', icon: 'files' },
  { id: 'webhooks', title: 'Webhooks', icon: 'webhooks' },
  { id: 'settings', title: 'Project Settings', icon: 'settings' },
  { id: 'admin', title: 'Admin', icon: 'organization' },
  { id: 'account', title: 'Account', icon: 'account' },
]
