import { t } from '../../../messages/t.ts'
import { SHARED_EVENTS } from '../channels/names.ts'
import { Channels } from '../channels/section.tsx'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'
import { MANAGERS_ONLY } from './parts.tsx'

const ABOUT = t('settings.what_happens_on_this_board_is_sent_there')

/** The shared channels of a board. */
export default function BoardChannels({ board: { project_id }, may }: PartProps) {
  if (!may.manage)
    return <SettingsSection title={t('settings.channels')} about={ABOUT} readOnly={MANAGERS_ONLY} />
  return <Channels owner={{ project_id }} events={SHARED_EVENTS} about={ABOUT} />
}
