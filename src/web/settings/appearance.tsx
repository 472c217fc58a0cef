import { EVERYWHERE, hintOf } from '../frame/keys.ts'
import { toggleSidebar, useNarrowSide } from '../frame/sidebar-width.ts'
import { type Theme, useTheme } from '../frame/theme.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import './forms.css'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsGroup, SettingsPage } from './parts.tsx'

const THEMES: readonly { theme: Theme | undefined; name: string; icons: readonly IconName[] }[] = [
  { theme: undefined, name: 'As the system', icons: ['sun', 'moon'] },
  { theme: 'light', name: 'Light', icons: ['sun'] },
  { theme: 'dark', name: 'Dark', icons: ['moon'] },
]

/** The appearance settings, stored per browser. */
export default function Appearance(_: PartProps) {
  const { own, choose } = useTheme()
  const isNarrow = useNarrowSide()
  return (
    <SettingsPage title="Appearance" about="How Corkboard looks in this browser.">
      <SettingsGroup title="Theme" about={`${hintOf(EVERYWHERE.theme)} turns it from anywhere.`}>
        <fieldset className="deeds">
          <legend className="unseen">Theme</legend>
          <div className="ways">
            {THEMES.map(({ theme, name, icons }) => (
              <label key={name} className="way">
                <span className="look">
                  {icons.map((icon) => (
                    <Icon key={icon} name={icon} />
                  ))}
                </span>
                <span className="tick">
                  <input
                    type="radio"
                    name="theme"
                    checked={own === theme}
                    onChange={() => choose(theme)}
                  />
                  {name}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      </SettingsGroup>
      <SettingsGroup title="Around your work">
        <SettingRow
          label="Side bar"
          hint={`Only icons, where you need the room. ${hintOf(EVERYWHERE.side)} does the same.`}
        >
          <label className="tick">
            <input type="checkbox" checked={isNarrow} onChange={toggleSidebar} />
            Narrow
          </label>
        </SettingRow>
        <SettingRow
          label="Motion"
          hint="Follows your system: where that asks for less motion, nothing slides or breathes."
        >
          <Motion />
        </SettingRow>
      </SettingsGroup>
    </SettingsPage>
  )
}

const less = matchMedia('(prefers-reduced-motion: reduce)')

const Motion = () => <span>{less.matches ? 'Reduced, as your system asks' : 'As designed'}</span>
