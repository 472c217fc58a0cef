import { useState } from 'react'
import { cache, useOperation } from '../../../data/cache.ts'
import { callOperation, type Output } from '../../../data/client.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { ListLine, SettingsSection } from '../parts.tsx'
import { type Member, MemberPicker, useMembers } from './member-picker.tsx'

type Placeholder = Output<'placeholders.list'>['items'][number]

/** People of imported tasks who are not members; a member can take the place of each. */
export function Placeholders({ team_id }: { team_id: number }) {
  const list = useOperation('placeholders.list', { team_id, limit: 50 })
  const members = useMembers(team_id)
  const placeholders = list.data?.items ?? []
  if (!placeholders.length) return null
  return (
    <SettingsSection title={t('import.placeholders')} about={t('import.how_to_replace_one')}>
      <ul className="list-lines">
        {placeholders.map((one) => (
          <PlaceholderLine key={one.user_id} {...{ one, members, team_id }} />
        ))}
      </ul>
    </SettingsSection>
  )
}

interface LineProps {
  one: Placeholder
  members: readonly Member[]
  team_id: number
}

function PlaceholderLine({ one, members, team_id }: LineProps) {
  const [member, setMember] = useState<Member>()
  const label = t('import.replace_name', { name: one.name })
  return (
    <ListLine name={<span dir="auto">{one.name}</span>} meta={[one.email]}>
      <MemberPicker {...{ label, members }} text={t('import.replace')} onPick={setMember} />
      {member && (
        <ReplaceDialog {...{ one, member, team_id }} onClose={() => setMember(undefined)} />
      )}
    </ListLine>
  )
}

interface DialogProps {
  one: Placeholder
  member: Member
  team_id: number
  onClose(): void
}

function ReplaceDialog({ one: { user_id, name }, member, team_id, onClose }: DialogProps) {
  const replace = async () => {
    await callOperation('placeholders.assign', { team_id, user_id, to_user_id: member.value })
    void cache.invalidateQueries({ queryKey: ['placeholders.list'] })
    showToast(t('import.member_replaces_name', { member: member.name, name }))
  }
  return (
    <ConfirmDialog
      title={t('import.replace_name_with_member', { member: member.name, name })}
      submitLabel={t('import.replace')}
      onClose={onClose}
      onConfirm={replace}
    >
      <p>{t('import.what_replacing_does', { member: member.name, name })}</p>
    </ConfirmDialog>
  )
}
