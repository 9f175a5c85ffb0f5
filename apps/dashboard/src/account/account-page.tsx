import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { installation } from '../ground/queries.js'
import { chooseTheme, currentTheme, THEMES, type Theme } from '../ground/theme.js'
import { Choice } from '../parts/choice.js'
import { Page, Card } from '../parts/page.js'
import { DeleteAccountCard } from './delete-account-card.js'
import { EmailCard } from './email-card.js'
import { IdentitiesCard } from './identities-card.js'
import { PasskeysCard } from './passkeys-card.js'
import { PasswordCard } from './password-card.js'
import { SecondFactorCard } from './second-factor-card.js'
import { SessionsCard } from './sessions-card.js'
import { UserKeyCard } from './user-key-card.js'

const TEXTS: Record<Theme, string> = { system: 'Like this computer', light: 'Light', dark: 'Dark' }

/** `/app/account`: what belongs to the user, whatever the organization. */
export function AccountPage() {
  return (
    <Page title="Account" about="Your own credentials and sessions. They count in every organization.">
      <SessionsCard />
      <SecondFactorCard />
      <PasskeysCard />
      <PasswordCard />
      <EmailCard />
      <UserKeyCard />
      <IdentitiesCard />
      <AppearanceCard />
      <AboutCard />
      <DeleteAccountCard />
    </Page>
  )
}

/** The version that runs, and the licenses that ask to be handed on with the code of these pages. */
function AboutCard() {
  const { data } = useQuery(installation)
  return (
    <Card title="About" about={data && `Bearing ${data.version}, under the Apache License 2.0.`}>
      <p>
        <a href="/app/third-party-notices.txt">Licenses of the software in these pages</a>
      </p>
    </Card>
  )
}

function AppearanceCard() {
  const [theme, setTheme] = useState(currentTheme)
  return (
    <Card title="Appearance" about="Of this browser.">
      <Choice
        label="Colors"
        value={theme}
        onChange={(chosen) => {
          chooseTheme(chosen)
          setTheme(chosen)
        }}
        options={THEMES.map((id) => ({ id, text: TEXTS[id] }))}
      />
    </Card>
  )
}
