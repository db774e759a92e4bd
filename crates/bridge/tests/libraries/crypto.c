/* Digests and errors of OpenSSL. Prints the same with the 64-bit library. */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, const unsigned char *bytes, unsigned count)
{
	printf("%s ", what);
	for (unsigned i = 0; i < count; i++)
		printf("%02x", bytes[i]);
	puts("");
}

int main(void)
{
	static const char *const names[] = {"MD5", "SHA1", "SHA256", "SHA512", "SHA3-384", "BLAKE2b512"};
	static unsigned char data[100000];
	unsigned char digest[EVP_MAX_MD_SIZE];
	for (unsigned i = 0; i < sizeof data; i++)
		data[i] = (unsigned char)(i * i >> 3);
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		const EVP_MD *md = EVP_get_digestbyname(names[i]);
		EVP_MD_CTX *context = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
		unsigned size = 0;
		int done = EVP_DigestInit_ex(context, md, NULL);
		for (unsigned at = 0; at < sizeof data; at += at / 3 + 1)
			done &= EVP_DigestUpdate(context, data + at, sizeof data - at < at / 3 + 1 ? sizeof data - at : at / 3 + 1);
		done &= EVP_MD_CTX_copy_ex(copy, context);
		done &= EVP_DigestFinal_ex(context, digest, &size);
		printf("%d %d %s ", done, EVP_MD_get_size(md), EVP_MD_get0_name(md));
		show("whole", digest, size);
		EVP_DigestUpdate(copy, "more", 4);
		EVP_DigestFinal_ex(copy, digest, NULL);
		show("more", digest, size);
		unsigned char key[] = "a key", code[EVP_MAX_MD_SIZE];
		int made = HMAC(md, key, sizeof key - 1, data, 1000, code, &size) != NULL;
		printf("%d ", made);
		show("hmac", code, size);
		EVP_MD_CTX_free(context);
		EVP_MD_CTX_free(copy);
	}
	printf("%d\n", EVP_get_digestbyname("no-such-digest") == NULL);
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	int wrong = EVP_DigestInit_ex(context, NULL, NULL);
	unsigned long error = ERR_get_error();
	char text[200] = "", *line = strstr(text, "line");
	ERR_error_string_n(error, text, sizeof text);
	printf("%d %lx %s|%s %d %lu\n", wrong, error, text, ERR_reason_error_string(error), line == NULL, ERR_get_error());
	EVP_MD_CTX_free(context);
	return 0;
}
