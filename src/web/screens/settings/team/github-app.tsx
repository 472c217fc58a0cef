import { useEffect, useState } from 'react'
import { cache } from '../../../data/cache.ts'
import { callOperation } from '../../../data/client.ts'
import { TextField } from '../../../kit/field.tsx'
import { Form, FormError, FormFooter } from '../../../kit/form.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'

const GITHUB = 'https://github.com'

/** Leads to a page that explains the permissions of the app, and from there to GitHub. */
export function CreateGithubApp({ team_id }: { team_id: number }) {
  const [url, setUrl] = useState('')
  const [organization, setOrganization] = useState('')
  useFinishedApp(team_id)
  const begin = async () => {
    const options = {
      ...(url.trim() && { url: url.trim() }),
      ...(organization.trim() && { organization: organization.trim() }),
    }
    const { page } = await callOperation('code_hosts.begin_app', { team_id, ...options })
    location.assign(page)
  }
  return (
    <Form label={t('code.create_github_app')} onSubmit={begin}>
      <p className="soft">{t('code.about_github_app')}</p>
      <div className="fields">
        <TextField
          label={t('code.organization')}
          name="organization"
          maxLength={100}
          value={organization}
          onChange={setOrganization}
        />
        <TextField
          label={t('code.address_of_github')}
          name="url"
          type="url"
          maxLength={500}
          placeholder={GITHUB}
          value={url}
          onChange={setUrl}
        />
      </div>
      <FormError />
      <FormFooter>{t('code.create_github_app')}</FormFooter>
    </Form>
  )
}

/** GitHub returns to this page with a code, which works once. */
function useFinishedApp(team_id: number) {
  useEffect(() => {
    const query = new URLSearchParams(location.search)
    const [code, setup] = [query.get('code'), query.get('state')]
    if (!code || !setup) return
    history.replaceState(history.state, '', location.pathname)
    callOperation('code_hosts.create_app', { team_id, code, setup }).then(() => {
      void cache.invalidateQueries({ queryKey: ['code_hosts.list'] })
      showToast(t('code.created_github_app'))
    }, showError)
  }, [team_id])
}
