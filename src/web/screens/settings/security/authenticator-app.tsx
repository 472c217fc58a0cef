import { useState } from 'react'
import { callOperation, type Output } from '../../../data/client.ts'
import { Copy } from '../../../kit/copy.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Form, FormError, FormFooter, SubmitButton } from '../../../kit/form.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { TimeAgo } from '../credential-line.tsx'
import { DangerDialog, ListLine, SettingsSection } from '../parts.tsx'
import type { FactorProps } from './factor-props.ts'
import './authenticator-app.css'

type NewSecret = Output<'authenticator_app.begin'>

export function AuthenticatorApp({ factors, reload, onAdded }: FactorProps) {
  const [secret, setSecret] = useState<NewSecret>()
  const app = factors.authenticator_app
  const confirm = async (code: string) => {
    await callOperation('authenticator_app.confirm', { code })
    setSecret(undefined)
    showToast(t('settings.added_the_authenticator_app'))
    await onAdded()
  }
  return (
    <SettingsSection
      title={t('settings.authenticator_app')}
      about={t('settings.about_authenticator_app')}
    >
      {app ? (
        <ul className="list-lines" aria-label={t('settings.authenticator_app')}>
          <AppLine app={app} reload={reload} />
        </ul>
      ) : secret ? (
        <SetUp {...{ secret, confirm }} onCancel={() => setSecret(undefined)} />
      ) : (
        <Form
          label={t('settings.new_authenticator_app')}
          onSubmit={async () => setSecret(await callOperation('authenticator_app.begin', {}))}
        >
          <FormError />
          <div className="flex-wrap">
            <SubmitButton variant="plain">{t('settings.set_up_an_app')}</SubmitButton>
          </div>
        </Form>
      )}
    </SettingsSection>
  )
}

interface SetUpProps {
  secret: NewSecret
  confirm(code: string): Promise<void>
  onCancel(): void
}

function SetUp({ secret, confirm, onCancel }: SetUpProps) {
  const [code, setCode] = useState('')
  return (
    <Form
      className="form app-setup"
      label={t('settings.set_up_an_app')}
      onSubmit={() => confirm(code)}
    >
      <p>{t('settings.scan_this_code_with_your_app')}</p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(secret.qr_svg)}`}
        alt={t('settings.qr_code')}
        width="200"
        height="200"
      />
      <Copy label={t('settings.secret')} text={secret.secret} />
      <TextField
        {...{ name: 'code', required: true, maxLength: 40, inputMode: 'numeric' }}
        label={t('settings.code_that_the_app_shows')}
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
      />
      <FormFooter disabled={!code} onCancel={onCancel}>
        {t('settings.confirm')}
      </FormFooter>
    </Form>
  )
}

interface LineProps {
  app: NonNullable<FactorProps['factors']['authenticator_app']>
  reload(): void
}

function AppLine({ app: { created_at, last_used_at }, reload }: LineProps) {
  const remove = () =>
    callOperation('authenticator_app.delete', {}).then(() => {
      showToast(t('settings.removed_the_authenticator_app'))
      reload()
    }, showError)
  return (
    <ListLine
      name={t('settings.authenticator_app')}
      meta={[
        <TimeAgo key="made" event="created" at={created_at} />,
        last_used_at && <TimeAgo key="used" event="used" at={last_used_at} />,
      ]}
    >
      <DangerDialog
        name={t('settings.remove')}
        of={t('settings.the_authenticator_app')}
        run={() => void remove()}
      >
        <p>{t('settings.its_codes_no_longer_work')}</p>
      </DangerDialog>
    </ListLine>
  )
}
