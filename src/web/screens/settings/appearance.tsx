import type { Appearance, AppearanceName } from '../../../design/appearance.ts'
import { EVERYWHERE } from '../../entities/command/shortcuts.ts'
import { chooseAppearance, useAppearance } from '../../kit/appearance.ts'
import { Check } from '../../kit/field.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { toggleSidebar, useNarrowSide } from '../../kit/sidebar-width.ts'
import { t } from '../../messages/t.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsPage, SettingsSection } from './parts.tsx'

interface Option<N extends AppearanceName> {
  /** Undefined is the default. */
  value: Appearance[N]
  name: string
  icons?: readonly IconName[]
}

const SYSTEM = { value: undefined, name: t('settings.system') }
const THEMES: readonly Option<'theme'>[] = [
  { ...SYSTEM, icons: ['sun', 'moon'] },
  { value: 'light', name: t('settings.light'), icons: ['sun'] },
  { value: 'dark', name: t('settings.dark'), icons: ['moon'] },
]
const DENSITIES: readonly Option<'density'>[] = [
  { value: undefined, name: t('settings.comfortable') },
  { value: 'compact', name: t('settings.compact') },
]
const TEXT_SIZES: readonly Option<'text'>[] = [
  { value: 'small', name: t('settings.small') },
  { value: undefined, name: t('settings.medium') },
  { value: 'large', name: t('settings.large') },
]
const MOTIONS: readonly Option<'motion'>[] = [
  SYSTEM,
  { value: 'reduced', name: t('settings.reduced') },
]
const CONTRASTS: readonly Option<'contrast'>[] = [
  SYSTEM,
  { value: 'high', name: t('settings.high') },
]

/** The appearance settings, stored per browser. */
export default function AppearanceSettings(_: PartProps) {
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
        <Choice name="theme" label={t('settings.theme')} options={THEMES} />
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
        <ChoiceRow
          name="density"
          label={t('settings.density')}
          hint={t('settings.compact_shows_more_on_the_screen')}
          options={DENSITIES}
        />
        <ChoiceRow name="text" label={t('settings.text_size')} options={TEXT_SIZES} />
        <ChoiceRow
          name="motion"
          label={t('settings.motion')}
          hint={t('settings.reduced_motion_hint')}
          options={MOTIONS}
        />
        <ChoiceRow
          name="contrast"
          label={t('settings.contrast')}
          hint={t('settings.high_contrast_hint')}
          options={CONTRASTS}
        />
      </SettingsSection>
    </SettingsPage>
  )
}

interface ChoiceProps<N extends AppearanceName> {
  name: N
  label: string
  options: readonly Option<N>[]
}

const ChoiceRow = <N extends AppearanceName>({
  hint,
  ...choice
}: ChoiceProps<N> & { hint?: string }) => (
  <SettingRow label={choice.label} hint={hint}>
    <Choice {...choice} />
  </SettingRow>
)

function Choice<N extends AppearanceName>({ name, label, options }: ChoiceProps<N>) {
  const chosen = useAppearance()[name]
  return (
    <fieldset>
      <legend className="unseen">{label}</legend>
      <div className="themes">
        {options.map(({ value, name: text, icons }) => (
          <label key={text} className="theme-option">
            {icons && (
              <span className="sample">
                {icons.map((icon) => (
                  <Icon key={icon} name={icon} />
                ))}
              </span>
            )}
            <span className="check">
              <input
                type="radio"
                name={name}
                checked={chosen === value}
                onChange={() => chooseAppearance(name, value)}
              />
              {text}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
