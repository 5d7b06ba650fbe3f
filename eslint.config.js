import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { defineConfig, globalIgnores } from 'eslint/config';

const coreOnly = 'Time, ids and randomness come in as arguments or ports.';

export default defineConfig(
  globalIgnores(['**/*.cjs', '**/dist/**', '**/coverage/**', 'docs/**', 'data/**']),
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.lint.json', './packages/dashboard/tsconfig.page.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-empty-object-type': [
        'error',
        { allowInterfaces: 'with-single-extends' },
      ],
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    files: [
      'packages/domain/src/**/*.ts',
      'packages/application/src/**/*.ts',
      'packages/ports/src/**/*.ts',
    ],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...[
          'Date',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'process',
          'fetch',
          'crypto',
          'performance',
          'parseFloat',
        ].map((name) => ({ name, message: coreOnly })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: coreOnly },
      ],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'The core runs in any host.' }] },
      ],
    },
  },
  {
    files: ['packages/*/src/**/*.test.ts', '{packages,examples}/*/tests/**/*.ts'],
    rules: { '@typescript-eslint/no-base-to-string': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs', '*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
  },
);
