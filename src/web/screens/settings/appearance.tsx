import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import { Check } from '../../kit/field.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { toggleSidebar, useNarrowSide } from '../../kit/sidebar-width.ts'
import { type Theme, useTheme } from '../../kit/theme.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsPage, SettingsSection } from './parts.tsx'

const THEMES: readonly { theme: Theme | undefined; name: string; icons: readonly IconName[] }[] = [
  { theme: undefined, name: 'System', icons: ['sun', 'moon'] },
  { theme: 'light', name: 'Light', icons: ['sun'] },
  { theme: 'dark', name: 'Dark', icons: ['moon'] },
]

/** The appearance settings, stored per browser. */
export default function Appearance(_: PartProps) {
  const { own, choose } = useTheme()
  const isNarrow = useNarrowSide()
  return (
    <SettingsPage title="Appearance" about="How Corkboard looks in this browser.">
      <SettingsSection
        title="Theme"
        about={`${hintOf(EVERYWHERE.theme)} switches the theme on any screen.`}
      >
        <fieldset>
          <legend className="unseen">Theme</legend>
          <div className="ways">
            {THEMES.map(({ theme, name, icons }) => (
              <label key={name} className="way">
                <span className="look">
                  {icons.map((icon) => (
                    <Icon key={icon} name={icon} />
                  ))}
                </span>
                <span className="check">
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
      </SettingsSection>
      <SettingsSection title="Interface">
        <SettingRow
          label="Sidebar"
          hint={`Shows icons only. Shortcut: ${hintOf(EVERYWHERE.side)}.`}
        >
          <Check checked={isNarrow} onChange={toggleSidebar}>
            Collapsed
          </Check>
        </SettingRow>
        <SettingRow label="Motion" hint="Follows the reduced-motion setting of your system.">
          <Motion />
        </SettingRow>
      </SettingsSection>
    </SettingsPage>
  )
}

const less = matchMedia('(prefers-reduced-motion: reduce)')

const Motion = () => <span>{less.matches ? 'Reduced' : 'Full'}</span>
