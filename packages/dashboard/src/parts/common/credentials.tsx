import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Action } from '../../service/action.js';
import { Failure, Field } from './form.js';

interface Given {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** The address of an account. */
export const EmailField = (props: Given) => (
  <Field label="E-mail address" type="email" autocomplete="username" required {...props} />
);

/** The present password of an account. */
export const PasswordField = (props: Given & { readonly label?: string }) => (
  <Field label="Password" type="password" autocomplete="current-password" required {...props} />
);

/** A password that is set now. */
export const NewPasswordField = (
  props: Given & { readonly label?: string; readonly hint?: string },
) => (
  <Field
    label="New password"
    type="password"
    autocomplete="new-password"
    required
    minLength={8}
    maxLength={200}
    {...props}
  />
);

/** What proves that it is the owner of the account who acts on money. */
export interface Proof {
  readonly password: string;
  readonly totp?: string;
}

/** The fields of a proof, and what was typed into them. */
export function useProof(): {
  readonly proof: Proof;
  readonly fields: ComponentChildren;
  readonly clear: () => void;
} {
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  return {
    proof: { password, ...(totp.trim() !== '' && { totp: totp.trim() }) },
    fields: (
      <>
        <PasswordField label="Your password" value={password} onValue={setPassword} />
        <Field
          label="Code of your app"
          autocomplete="one-time-code"
          value={totp}
          onValue={setTotp}
          hint="If the second factor is on."
        />
      </>
    ),
    clear: () => {
      setPassword('');
      setTotp('');
    },
  };
}

/** What the service's own words do not say of the failure of an action that takes a proof. */
const MEANT: Readonly<Record<string, string>> = {
  // The key of the first attempt came with another code.
  idempotency_conflict:
    'Your first attempt took effect, and was not done again. See what is there.',
  unauthenticated: 'Your link is not for this. Sign in with your e-mail address and your password.',
};

/** The failure of an action that takes a proof, in words. */
export const ProvenFailure = (props: {
  readonly of: Pick<Action<never, unknown>, 'error' | 'code'>;
}) => <Failure of={{ error: MEANT[props.of.code ?? ''] ?? props.of.error }} />;
