import { patchQuery, useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import type { Me } from '../../../entities/user/me.ts'
import { SelectField, Switch, TextField } from '../../../kit/field.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { SettingRow, SettingsSection } from '../parts.tsx'

type Settings = Output<'notification_settings.get'>

function useSettingsUpdate() {
  const { mutate } = useOperationMutation('notification_settings.update', {
    line: 'notification_settings',
    optimistic: ({ boards, ...changes }) =>
      patchQuery('notification_settings.get', {}, (before) => ({
        ...before,
        ...changes,
        boards: [
          ...before.boards.filter(
            ({ project_id }) => !boards?.some((one) => one.project_id === project_id),
          ),
          ...(boards ?? []).flatMap(({ project_id, level }) =>
            level ? [{ project_id, level }] : [],
          ),
        ],
      })),
    onLast: (settings) => void patchQuery('notification_settings.get', {}, () => settings),
    onFailed: showError,
  })
  return mutate
}

/** When nothing is sent, and what is sent of single boards. */
export function ChannelSettings({ me }: { me: Me }) {
  const query = useOperation('notification_settings.get', {})
  const { data: settings } = query
  return (
    <>
      <LoadError of={query} what={t('settings.your_settings')} />
      {settings && <QuietHours settings={settings} />}
      {settings && <Boards me={me} settings={settings} />}
    </>
  )
}

const DEFAULT_FROM = '22:00'
const DEFAULT_TO = '07:00'

function QuietHours({ settings }: { settings: Settings }) {
  const change = useSettingsUpdate()
  const { quiet_from, quiet_to, quiet_exceptions, time_zone } = settings
  const isOn = quiet_from !== null && quiet_to !== null
  const setOn = (next: boolean) =>
    change(
      next
        ? { quiet_from: DEFAULT_FROM, quiet_to: DEFAULT_TO }
        : { quiet_from: null, quiet_to: null },
    )
  return (
    <SettingsSection
      title={t('settings.quiet_hours')}
      about={t('settings.what_happens_then_arrives_afterwards')}
    >
      <SettingRow
        label={t('settings.quiet_hours')}
        hint={t('settings.in_your_time_zone', { zone: time_zone.replaceAll('_', ' ') })}
      >
        <Switch checked={isOn} onChange={setOn}>
          {t('settings.use_quiet_hours')}
        </Switch>
      </SettingRow>
      {isOn && (
        <>
          <TimeField
            label={t('settings.from')}
            value={quiet_from}
            onSave={(next) => change({ quiet_from: next })}
          />
          <TimeField
            label={t('settings.until')}
            value={quiet_to}
            onSave={(next) => change({ quiet_to: next })}
          />
          <SettingRow label={t('settings.exceptions')}>
            <Switch
              checked={quiet_exceptions}
              onChange={(next) => change({ quiet_exceptions: next })}
            >
              {t('settings.escalations_and_decisions_arrive_anyway')}
            </Switch>
          </SettingRow>
        </>
      )}
    </SettingsSection>
  )
}

interface TimeFieldProps {
  label: string
  value: string
  onSave(value: string): void
}

/** While a time is being typed, the browser reports an empty one. */
const TimeField = ({ label, value, onSave }: TimeFieldProps) => (
  <TextField
    className="row"
    type="time"
    label={label}
    value={value}
    onChange={(next) => next && onSave(next)}
  />
)

const LEVELS = [
  [null, t('settings.as_chosen_above')],
  ['all', t('settings.everything')],
  ['important', t('settings.important_only')],
  ['none', t('settings.nothing')],
] as const

function Boards({ me, settings }: { me: Me; settings: Settings }) {
  const change = useSettingsUpdate()
  if (!me.boards.length) return null
  const levelOf = (id: number) =>
    settings.boards.find(({ project_id }) => project_id === id)?.level ?? null
  return (
    <SettingsSection
      title={t('common.boards')}
      about={t('settings.what_your_channels_get_of_each_board')}
    >
      {me.boards.map(({ project_id, title }) => (
        <SelectField
          key={project_id}
          className="row"
          label={<bdi>{title}</bdi>}
          value={levelOf(project_id)}
          choices={LEVELS}
          onPick={(level) => change({ boards: [{ project_id, level }] })}
        />
      ))}
    </SettingsSection>
  )
}
