import { useState } from 'react'
import { chooseTheme, currentTheme, THEMES, type Theme } from '../ground/theme.js'
import { Choice } from '../parts/choice.js'
import { Card } from '../parts/page.js'

const TEXTS: Record<Theme, string> = { system: 'Like this computer', light: 'Light', dark: 'Dark' }

export function AppearanceCard() {
  const [theme, setTheme] = useState(currentTheme)
  return (
    <Card title="Appearance" about="Of this browser.">
      <Choice
        label="Colors"
        value={theme}
        onChange={(value) => {
          const chosen = THEMES.find((candidate) => candidate === value) ?? 'system'
          chooseTheme(chosen)
          setTheme(chosen)
        }}
        options={THEMES.map((id) => ({ id, text: TEXTS[id] }))}
      />
    </Card>
  )
}
