import { useOperation } from '../../../data/cache.ts'
import { Icon } from '../../../kit/icon.tsx'
import { PickOne } from '../../../kit/pick.tsx'

export interface Member {
  value: number
  name: string
}

/** The people of a team, to choose one of them. */
export function useMembers(team_id: number): readonly Member[] {
  const { data } = useOperation('teams.members', { team_id, kind: 'person', limit: 50 })
  return (data?.items ?? []).map(({ user_id, name }) => ({ value: user_id!, name }))
}

interface MemberPickerProps {
  /** The accessible name, which also says what the member is assigned to. */
  label: string
  /** The visible text of the button. */
  text: string
  members: readonly Member[]
  onPick(member: Member): void
}

/** A button that offers the members. */
export const MemberPicker = ({ label, text, members, onPick }: MemberPickerProps) => (
  <PickOne
    label={label}
    choices={members}
    value={undefined}
    onPick={(id) => onPick(members.find(({ value }) => value === id)!)}
    trigger={
      <button type="button" className="button plain" aria-label={label}>
        {text}
        <Icon name="chevron" />
      </button>
    }
  />
)
