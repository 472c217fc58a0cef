import { useState } from 'react'
import { callOperation, type Output } from '../../data/client.ts'
import { basePath } from '../../kit/base-path.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { downloadFile } from '../../kit/download-file.ts'
import { TextField } from '../../kit/field.tsx'
import { Form, FormError, SubmitButton, useFormState } from '../../kit/form.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { SettingsSection } from './parts.tsx'

/** Downloads or erases what the server stores about the user. */
export const YourData = ({ email }: { email: string }) => (
  <SettingsSection
    title={t('settings.your_data')}
    about={t('settings.what_this_server_stores_about_you')}
  >
    <Form className="form" label={t('settings.your_data')} onSubmit={downloadData}>
      <div className="flex-wrap">
        <DownloadButton />
        <EraseAccount email={email} />
      </div>
      <FormError />
    </Form>
  </SettingsSection>
)

const DownloadButton = () => (
  <SubmitButton variant="plain">
    {useFormState().busy ? t('settings.downloading') : t('settings.download_my_data')}
  </SubmitButton>
)

/** Reads all pages. Only then is there a file, so none is incomplete. */
async function downloadData() {
  const records: Output<'account.export'>['records'] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await callOperation('account.export', cursor === undefined ? {} : { cursor })
    records.push(...page.records)
    cursor = page.next_cursor
  }
  const file = new Blob([JSON.stringify({ records }, null, 2)], { type: 'application/json' })
  downloadFile('corkboard-personal-data.json', file)
  showToast(t('settings.downloaded_your_data'))
}

function EraseAccount({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button danger" onClick={() => setOpen(true)}>
        {t('settings.erase_account')}
      </button>
      {isOpen && <EraseDialog email={email} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The request is not queued, because a queued request is sent again after a reload. */
function EraseDialog({ email, onClose }: { email: string; onClose(): void }) {
  const [text, setText] = useState('')
  const erase = async () => {
    await callOperation('account.erase', { email: text })
    location.assign(`${basePath}/sign-in`)
  }
  return (
    <ConfirmDialog
      title={t('settings.erase_your_account_question')}
      submitLabel={t('settings.erase_my_account')}
      disabled={text.trim().toLowerCase() !== email}
      onConfirm={erase}
      onClose={onClose}
    >
      <p>{t('settings.this_cannot_be_undone_you_lose_access')}</p>
      <p>{t('settings.what_you_wrote_for_others_stays')}</p>
      <TextField
        label={t('settings.type_email_to_confirm', { email })}
        name="email"
        autoComplete="off"
        maxLength={254}
        value={text}
        onChange={setText}
      />
    </ConfirmDialog>
  )
}
