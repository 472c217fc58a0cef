import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import { Check } from '../../kit/field.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { toggleSidebar, useNarrowSide } from '../../kit/sidebar-width.ts'
import { type Theme, useTheme } from '../../kit/theme.ts'
import { t } from '../../messages/t.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsPage, SettingsSection } from './parts.tsx'

const THEMES: readonly { theme: Theme | undefined; name: string; icons: readonly IconName[] }[] = [
  { theme: undefined, name: t('settings.system'), icons: ['sun', 'moon'] },
  { theme: 'light', name: t('settings.light'), icons: ['sun'] },
  { theme: 'dark', name: t('settings.dark'), icons: ['moon'] },
]

/** The appearance settings, stored per browser. */
export default function Appearance(_: PartProps) {
  const { chosenTheme, choose } = useTheme()
  const isNarrow = useNarrowSide()
  return (
    <SettingsPage
      title={t('settings.appearance')}
      about={t('settings.how_corkboard_looks_in_this_browser')}
    >
      <SettingsSection
        title={t('settings.theme')}
        about={t('settings.hint_switches_the_theme_on_any_screen', {
          hint: hintOf(EVERYWHERE.theme),
        })}
      >
        <fieldset>
          <legend className="unseen">{t('settings.theme')}</legend>
          <div className="themes">
            {THEMES.map(({ theme, name, icons }) => (
              <label key={name} className="theme-option">
                <span className="sample">
                  {icons.map((icon) => (
                    <Icon key={icon} name={icon} />
                  ))}
                </span>
                <span className="check">
                  <input
                    type="radio"
                    name="theme"
                    checked={chosenTheme === theme}
                    onChange={() => choose(theme)}
                  />
                  {name}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      </SettingsSection>
      <SettingsSection title={t('settings.interface')}>
        <SettingRow
          label={t('settings.sidebar')}
          hint={t('settings.shows_icons_only_shortcut_hint', { hint: hintOf(EVERYWHERE.side) })}
        >
          <Check checked={isNarrow} onChange={toggleSidebar}>
            {t('settings.collapsed')}
          </Check>
        </SettingRow>
        <SettingRow
          label={t('settings.motion')}
          hint={t('settings.follows_the_reduced_motion_setting_of_your')}
        >
          <Motion />
        </SettingRow>
      </SettingsSection>
    </SettingsPage>
  )
}

const reduced = matchMedia('(prefers-reduced-motion: reduce)')

const Motion = () => <span>{reduced.matches ? t('settings.reduced') : t('settings.full')}</span>
