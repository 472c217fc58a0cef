import { useState } from 'react'
import type { Page } from '../../entities/page/data.ts'
import type { Me } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'

interface Update {
  name: string
  version: number
}

/** The latest version that somebody else saved while the page was open. */
export function useUpdateNotice(page: Page, me: Me | undefined) {
  const [seenVersion, setSeenVersion] = useState(page.version)
  const [update, setUpdate] = useState<Update>()
  const { version, updated_by } = page
  if (seenVersion !== version) {
    setSeenVersion(version)
    const isMine = updated_by.kind === 'person' && updated_by.user_id === me?.profile.user_id
    setUpdate(isMine || version < seenVersion ? undefined : { name: updated_by.name, version })
  }
  return [update, () => setUpdate(undefined)] as const
}

interface Props {
  update: Update | undefined
  isWriting: boolean
  onClose(): void
  onShow(version: number): void
}

/** The notice about it, which screen readers announce. */
export const UpdateNotice = ({ update, isWriting, onClose, onShow }: Props) => (
  <div role="status">
    {update && (
      <p className="notice new-items">
        <span>
          {isWriting
            ? t('pages.update_while_writing', { name: update.name, version: update.version })
            : t('pages.update_notice', { name: update.name, version: update.version })}
        </span>
        {!isWriting && (
          <>
            <button type="button" className="button quiet" onClick={() => onShow(update.version)}>
              {t('pages.show_what_changed')}
            </button>
            <button type="button" className="button quiet only" onClick={onClose}>
              <Icon name="close" label={t('common.close')} />
            </button>
          </>
        )}
      </p>
    )}
  </div>
)
