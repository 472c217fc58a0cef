import { useEffect, useState } from 'react'
import { callOnce, type Input, type Output } from '../../data/client.ts'
import { browserHasPasskeys, requestPasskey } from '../../data/passkeys.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { errorText } from '../../kit/errors.ts'
import { TextField } from '../../kit/field.tsx'
import { Form, FormError, FormFooter, SubmitButton } from '../../kit/form.tsx'
import { t } from '../../messages/t.ts'
import { signOut } from './me.ts'

type Ways = Output<'verification.begin'>
type Way = 'password' | 'code'

interface Props {
  email: string
  onClose(isVerified: boolean): void
}

/** Asks the user to confirm who they are. */
export default function VerifyDialog({ email, onClose }: Props) {
  const { ways, error } = useWays()
  const verify = async (proof: Input<'verification.verify'>) => {
    await callOnce('verification.verify', proof)
    onClose(true)
  }
  return (
    <Dialog open title={t('settings.confirm_that_it_is_you')} onClose={() => onClose(false)}>
      {error && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      {ways && <WaysForm {...{ ways, email, verify }} onCancel={() => onClose(false)} />}
    </Dialog>
  )
}

function useWays() {
  const [ways, setWays] = useState<Ways>()
  const [error, setError] = useState('')
  useEffect(() => {
    callOnce('verification.begin', {}).then(setWays, (failure) => setError(errorText(failure)))
  }, [])
  return { ways, error }
}

interface FormProps extends Pick<Props, 'email'> {
  ways: Ways
  verify(proof: Input<'verification.verify'>): Promise<void>
  onCancel(): void
}

function WaysForm({ ways, email, verify, onCancel }: FormProps) {
  const first: Way | undefined = ways.password ? 'password' : ways.code ? 'code' : undefined
  const [way, setWay] = useState(first)
  const passkey = browserHasPasskeys() ? ways.passkey : null
  if (!way && !passkey) return <SignInAgain onCancel={onCancel} />
  return (
    <>
      {passkey && <PasskeyForm {...{ passkey, verify }} onCancel={way ? undefined : onCancel} />}
      {way && <TextForm key={way} {...{ way, email, verify, onCancel }} />}
      {ways.password && ways.code && (
        <button
          type="button"
          className="button quiet underlined"
          onClick={() => setWay(way === 'code' ? 'password' : 'code')}
        >
          {way === 'code' ? t('settings.use_your_password') : t('settings.use_a_code')}
        </button>
      )}
    </>
  )
}

interface PasskeyFormProps extends Pick<FormProps, 'verify'> {
  passkey: NonNullable<Ways['passkey']>
  /** Undefined if another form of the dialog has the button. */
  onCancel: (() => void) | undefined
}

const PasskeyForm = ({ passkey, verify, onCancel }: PasskeyFormProps) => (
  <Form
    className="form in-dialog"
    label={t('settings.passkey')}
    onSubmit={async () => {
      const answer = await requestPasskey(passkey)
      if (answer) await verify({ passkey: answer })
    }}
  >
    {onCancel ? (
      <FormFooter onCancel={onCancel}>{t('settings.use_a_passkey')}</FormFooter>
    ) : (
      <>
        <FormError />
        <SubmitButton variant="plain">{t('settings.use_a_passkey')}</SubmitButton>
      </>
    )}
  </Form>
)

function TextForm({ way, email, verify, onCancel }: Omit<FormProps, 'ways'> & { way: Way }) {
  const [text, setText] = useState('')
  return (
    <Form
      className="form in-dialog"
      onSubmit={() => verify(way === 'code' ? { code: text } : { password: text })}
    >
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      {way === 'password' ? (
        <TextField
          {...{ name: 'password', type: 'password', required: true, maxLength: 200 }}
          label={t('settings.your_password')}
          autoComplete="current-password"
          autoFocus
          value={text}
          onChange={setText}
        />
      ) : (
        <TextField
          {...{ name: 'code', required: true, maxLength: 40 }}
          label={t('settings.code')}
          hint={t('settings.from_your_authenticator_app')}
          autoComplete="one-time-code"
          autoFocus
          value={text}
          onChange={setText}
        />
      )}
      <FormFooter disabled={!text} onCancel={onCancel}>
        {t('settings.confirm')}
      </FormFooter>
    </Form>
  )
}

const SignInAgain = ({ onCancel }: Pick<FormProps, 'onCancel'>) => (
  <Form className="form in-dialog" onSubmit={signOut}>
    <p>{t('settings.sign_in_again_to_confirm_that_it')}</p>
    <FormFooter onCancel={onCancel}>{t('settings.sign_out')}</FormFooter>
  </Form>
)
