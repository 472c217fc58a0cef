import { useId } from 'react'
import { signOut } from '../frame/places.ts'
import { languages } from './languages.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsGroup, SettingsPage, TextRow } from './parts.tsx'
import { useProfile } from './profile-update.ts'
import { ZoneRow } from './zone-row.tsx'

const NONE = 0

export default function Profile({ me }: PartProps) {
  const { save, choose } = useProfile(me)
  const { profile } = me
  return (
    <SettingsPage
      title="Profile"
      about="Who you are to the people and the agents that you work with."
    >
      <SettingsGroup title="You">
        <TextRow
          label="Name"
          hint="Stands beside all that you do."
          value={profile.display_name}
          most={200}
          autoComplete="name"
          onSave={(display_name) => save({ display_name }, 'Changed your name')}
        />
        <SettingRow label="E-mail" hint="You sign in with it, and mail goes there.">
          <span>{profile.email}</span>
        </SettingRow>
        <TextRow
          label="Picture"
          hint="An https address, for programs that show it. The app draws your initials: it asks no other server for anything."
          value={profile.avatar ?? ''}
          most={2000}
          placeholder="https://…"
          autoComplete="photo"
          onSave={(avatar) =>
            save(
              { avatar: avatar || null },
              avatar ? 'Changed your picture' : 'Removed your picture',
            )
          }
        />
      </SettingsGroup>
      <SettingsGroup title="Where you are">
        <ZoneRow me={me} choose={choose} />
        <SelectRow
          label="Language"
          hint="Agents and programs see which one you like to be written to in."
          value={profile.locale ?? 'en'}
          choices={languages(profile.locale)}
          onPick={(locale) => choose({ locale }, 'Changed your language')}
        />
        <DefaultBoardRow
          me={me}
          onPick={(board) => choose({ default_board: board || null }, BOARD_MESSAGE)}
        />
      </SettingsGroup>
      <div className="deeds">
        <button type="button" className="button plain" onClick={signOut}>
          Sign out
        </button>
      </div>
    </SettingsPage>
  )
}

const BOARD_MESSAGE = 'Changed your default board'

function DefaultBoardRow({
  me,
  onPick,
}: Pick<PartProps, 'me'> & { onPick(project_id: number): void }) {
  const choices = me.boards.map(({ project_id, title }) => ({
    ...{ value: String(project_id), name: title },
  }))
  return (
    <SelectRow
      label="Default board"
      hint="Where you begin, and where new tasks go. None: the first in the side bar, and My Tasks asks."
      value={String(me.profile.default_board ?? NONE)}
      choices={[{ value: String(NONE), name: 'None' }, ...choices]}
      onPick={(value) => onPick(Number(value))}
    />
  )
}

interface SelectRowProps {
  label: string
  hint: string
  value: string
  choices: readonly { value: string; name: string }[]
  onPick(value: string): void
}

/** A select that saves on change. */
function SelectRow({ label, hint, value, choices, onPick }: SelectRowProps) {
  const id = useId()
  return (
    <SettingRow label={label} hint={hint} id={id}>
      <select
        id={id}
        className="field"
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={({ target }) => onPick(target.value)}
      >
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.name}
          </option>
        ))}
      </select>
    </SettingRow>
  )
}
